@_exported import PiuPiuBytes
