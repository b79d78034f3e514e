@_exported import PiuPiuExchange
