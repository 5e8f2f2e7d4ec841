"""Checksums of SQLite's write-ahead log (https://www.sqlite.org/fileformat.html, section 4)."""


def resealed(log: bytes) -> bytes:
    """A log with correct checksums (section 4.1), for little-endian numbers."""
    size = int.from_bytes(log[8:12])
    if len(log) < 32 or not 512 <= size <= 65536:
        return log
    changed = bytearray(log)
    order = "little" if log[3] == 0x82 else "big"
    sums = _checksum(log[:24], (0, 0), order)
    changed[24:32] = b"".join(each.to_bytes(4) for each in sums)
    for start in range(32, len(log) - size - 23, size + 24):
        changed[start + 8 : start + 16] = changed[16:24]
        sums = _checksum(log[start : start + 8] + log[start + 24 : start + 24 + size], sums, order)
        changed[start + 16 : start + 24] = b"".join(each.to_bytes(4) for each in sums)
    return bytes(changed)


def _checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = sums
    for place in range(0, len(data) - 7, 8):
        one = (one + int.from_bytes(data[place : place + 4], order) + two) & 0xFFFFFFFF
        two = (two + int.from_bytes(data[place + 4 : place + 8], order) + one) & 0xFFFFFFFF
    return one, two
