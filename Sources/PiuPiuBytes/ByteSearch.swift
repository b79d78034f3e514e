#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

extension UnsafeRawBufferPointer {
    /// Returns the offset of the first occurrence of a byte; `nil` if the byte does not occur.
    package func firstOffset(of byte: UInt8) -> Int? {
        guard let baseAddress else { return nil }
        return memchr(baseAddress, Int32(byte), count).map { UnsafeRawPointer($0) - baseAddress }
    }
}
