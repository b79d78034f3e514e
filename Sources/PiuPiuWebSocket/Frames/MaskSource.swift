#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// A source of keys for masks, each from secure random bytes and used once (RFC 6455 §5.3, §10.3).
///
/// The system is asked for 16 keys at a time, because each question is a call of the kernel. Copies share the keys, so that
/// none is used twice.
package struct MaskSource {
    private final class Block {
        static let size = 16
        var keys: [UInt32] = []
    }

    private let block = Block()

    package init() {}

    /// Returns a new key.
    package func next() -> UInt32 {
        if let key = block.keys.popLast() { return key }
        block.keys = Self.randomKeys(Block.size)
        return block.keys.popLast() ?? UInt32.random(in: 0...UInt32.max)
    }

    private static func randomKeys(_ count: Int) -> [UInt32] {
        var keys = [UInt32](repeating: 0, count: count)
        #if canImport(Darwin)
        arc4random_buf(&keys, count * 4)
        #else
        // One call may ask for up to 256 bytes.
        if getentropy(&keys, count * 4) != 0 {
            for index in keys.indices { keys[index] = UInt32.random(in: 0...UInt32.max) }
        }
        #endif
        return keys
    }
}
