"""The tour for new users."""
