// Re-exported, so that a program needs only `import PiuPiuAsync` on every platform: on Linux, `URLRequest` and
// `HTTPURLResponse` are in a separate module.
@_exported import Foundation
@_exported import PiuPiuBytes

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif
