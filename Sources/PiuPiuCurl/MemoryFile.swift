#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync

/// Bytes that libcurl can read as a file, in immutable memory.
///
/// libcurl accepts the bytes of authorities directly only since 7.77, and never caches their parsed certificates as it does for
/// a file. The TLS libraries differ in which bytes they accept; every one reads files.
///
/// Measured with 140 authorities, a connection took 1.3 to 2.0 ms of processor time with a file, in memory or not, and 8 to 29
/// ms with bytes, in 7.88, 8.14 and 8.23. 7.74 refuses bytes, and needs 6 to 7 ms with a file.
///
/// The file has no name in the file system. It is closed, and gone, with the last profile that uses it. Child processes do not
/// inherit it.
final class MemoryFile: Sendable, Hashable {
    private let descriptor: Int32

    /// Copies bytes.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: `TransportError` with the code `outOfResources` if there is no memory or descriptor left, `unsupported` if
    ///   `/proc` is not mounted.
    init(_ bytes: Data) throws(TransportError) {
        let descriptor = bytes.withUnsafeBytes { pp_memory_file($0.baseAddress, $0.count) }
        guard descriptor >= 0 else { throw TransportError(.outOfResources) }
        self.descriptor = descriptor
        guard access(path, R_OK) == 0 else {
            throw TLSFault.error("Certificates and keys in memory need /proc, which is not mounted")
        }
    }

    deinit { close(descriptor) }

    /// The path of the file for this process.
    var path: String { "/proc/self/fd/\(descriptor)" }

    static func == (lhs: MemoryFile, rhs: MemoryFile) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
#endif
