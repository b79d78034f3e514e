/// Bytes that are gathered to be written in one call.
///
/// Each event loop has one. Bytes that the system does not take at once are copied out of it.
package final class OutputBuffer {
    /// The minimum capacity, in bytes.
    package static let usualSize = 64 * 1024

    // Exclusive access is checked in debug builds only: one thread uses a buffer, and reads or writes these as a whole.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var memory: UnsafeMutableRawBufferPointer
    /// The number of bytes.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    package private(set) var count = 0

    package init() {
        memory = .allocate(byteCount: Self.usualSize, alignment: 64)
    }

    deinit { memory.deallocate() }

    /// The bytes, valid until more are added.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Removes the bytes.
    package func removeAll() {
        count = 0
        guard memory.count > 4 * Self.usualSize else { return }
        memory.deallocate()
        memory = .allocate(byteCount: Self.usualSize, alignment: 64)
    }

    /// Appends bytes.
    package func append(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        reserve(bytes.count)
        memory.baseAddress?.advanced(by: count).copyMemory(from: base, byteCount: bytes.count)
        count += bytes.count
    }

    /// Appends bytes.
    package func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Appends text.
    package func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends text.
    package func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends the bytes that a closure writes.
    ///
    /// - Parameters:
    ///   - room: The number of bytes that the closure may write.
    ///   - write: Writes into the buffer, and returns the number of bytes that it wrote.
    package func append(upTo room: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
        reserve(room)
        count += write(UnsafeMutableRawBufferPointer(rebasing: memory[count..<(count + room)]))
    }

    /// Replaces bytes that were appended.
    package func replace(at offset: Int, with bytes: UnsafeRawBufferPointer) {
        guard offset + bytes.count <= count else { return }
        UnsafeMutableRawBufferPointer(rebasing: memory[offset..<(offset + bytes.count)]).copyMemory(from: bytes)
    }

    /// Removes the last bytes.
    package func removeLast(_ number: Int) { count = max(0, count - number) }

    private func reserve(_ room: Int) {
        guard count + room > memory.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(count + room, 2 * memory.count),
            alignment: 64
        )
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }
}
