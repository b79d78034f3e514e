// Re-exported, so that a program needs only `import PiuPiuClassic` on every platform. On Linux, `URLRequest` and
// `HTTPURLResponse` are in a separate module.
@_exported import Foundation

// The types that are the same in all modules. Nothing else is re-exported, so that names do not collide.
@_exported import struct PiuPiuAsync.HTTPMethod
@_exported import struct PiuPiuAsync.StatusCode
@_exported import enum PiuPiuAsync.StatusCodeType
@_exported import struct PiuPiuFutures.BasicRequest

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif
