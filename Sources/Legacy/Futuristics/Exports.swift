// Re-exported, so that a program needs only `import Futuristics` on every platform. On Linux, `URLRequest` and
// `URLResponse` are in a separate module.
@_exported import Foundation

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif
