/// The memory for the part of a message that has arrived.
///
/// It grows with what arrives: by doubling, and at first to at most 64 KiB, whatever length the server announces. A binary
/// message takes the memory over without a copy.
final class MessageBuffer {
    /// The most memory to allocate at once for bytes that have not arrived.
    private static let maximumAdvance = 1 << 16

    private var start: UnsafeMutableRawPointer?
    /// The number of bytes that the memory has room for.
    private(set) var capacity = 0
    /// The number of bytes held.
    private(set) var count = 0

    deinit { free(start) }

    /// The bytes held.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// Appends bytes.
    ///
    /// - Parameters:
    ///   - part: The bytes.
    ///   - announced: The number of bytes, these included, that the frame has.
    /// - Throws: ``WebSocketViolation/outOfMemory``.
    func append(_ part: UnsafeRawBufferPointer, announced: Int) throws(WebSocketViolation) {
        guard let source = part.baseAddress, !part.isEmpty else { return }
        try reserve(part.count, announced: announced)
        guard let start else { return }
        memcpy(start + count, source, part.count)
        count += part.count
    }

    /// Returns memory for bytes to write; ``commit(_:)`` adds them.
    ///
    /// - Parameters:
    ///   - expected: The number of bytes that are probably written.
    ///   - limit: The number of bytes that the buffer may hold. One more can be written, which shows that it is exceeded.
    /// - Returns: The memory, which is not empty.
    /// - Throws: ``WebSocketViolation/outOfMemory``.
    func room(expected: Int, limit: Int) throws(WebSocketViolation) -> UnsafeMutableRawBufferPointer {
        let most = limit < Int.max ? limit - count + 1 : limit - count
        guard most > 0 else { throw .messageTooBig }
        if capacity == count { try reserve(1, announced: min(max(expected, 256, count), most)) }
        return UnsafeMutableRawBufferPointer(start: start.map { $0 + count }, count: min(capacity - count, most))
    }

    /// Adds bytes that were written to ``room(expected:limit:)``.
    func commit(_ written: Int) { count += min(written, capacity - count) }

    /// Returns the bytes, and gives away the memory.
    func takeData() -> Data {
        guard let start, count > 0 else {
            removeAll()
            return Data()
        }
        // Memory that is left over from doubling goes back.
        let memory = capacity - count > count / 8 ? realloc(start, count) ?? start : start
        let data = Data(bytesNoCopy: memory, count: count, deallocator: .free)
        self.start = nil
        capacity = 0
        count = 0
        return data
    }

    /// Removes the bytes, and frees the memory.
    func removeAll() {
        free(start)
        start = nil
        capacity = 0
        count = 0
    }

    /// Makes room for `needed` more bytes, and for as many of those announced as growth by doubling allows.
    private func reserve(_ needed: Int, announced: Int) throws(WebSocketViolation) {
        let (required, overflows) = count.addingReportingOverflow(needed)
        guard !overflows else { throw .outOfMemory }
        guard required > capacity else { return }
        let advance = max(Self.maximumAdvance, capacity &* 2)
        let wanted = max(required, min(count + min(announced, Int.max - count), advance))
        guard let memory = realloc(start, wanted) else { throw .outOfMemory }
        start = memory
        capacity = wanted
    }
}
