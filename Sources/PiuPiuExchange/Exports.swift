@_exported import PiuPiuCore
