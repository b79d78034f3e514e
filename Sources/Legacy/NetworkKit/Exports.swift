// Re-exported, so that a file needs only `import NetworkKit` on every platform. On Linux, `URLRequest` and
// `HTTPURLResponse` are in a separate module. PiuPiu's own modules are not re-exported, because names would collide.
@_exported import Foundation

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif
