#if os(Linux)
import PiuPiuEngine
#elseif canImport(CryptoKit)
import CryptoKit
#endif

extension SHA256MessageDigest {
    /// Returns the system's implementation; `nil` if it has none.
    static func platformFunction() -> (any MessageDigest)? {
        #if os(Linux)
        return OpenSSLDigest().map(SystemSHA256.init)
        #elseif canImport(CryptoKit)
        return SystemSHA256()
        #else
        return nil
        #endif
    }
}

#if os(Linux)
/// SHA-256 by OpenSSL.
private struct SystemSHA256: MessageDigest {
    var function: OpenSSLDigest

    mutating func update(bytes: UnsafeRawBufferPointer) { function.update(bytes: bytes) }

    mutating func digest() -> Data { function.digest().map { Data($0) } ?? Data() }
}
#elseif canImport(CryptoKit)
/// SHA-256 by CryptoKit.
private struct SystemSHA256: MessageDigest {
    private var function = CryptoKit.SHA256()

    mutating func update(bytes: UnsafeRawBufferPointer) { function.update(bufferPointer: bytes) }

    mutating func digest() -> Data { Data(function.finalize()) }
}
#endif
