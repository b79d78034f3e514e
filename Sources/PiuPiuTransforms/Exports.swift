@_exported import PiuPiuValues
