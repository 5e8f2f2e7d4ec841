"""The library, and the files of saves, settings, sweeps, backups and large spaces: only this package touches them."""
