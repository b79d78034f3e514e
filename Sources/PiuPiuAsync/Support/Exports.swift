// Re-exported, so that `import PiuPiuAsync` is all a program needs on every platform: on Linux, `URLRequest` and
// `HTTPURLResponse` live in a module of their own.
@_exported import Foundation

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif
