#if os(Linux)
/// The bytes between two codings of a body.
final class IntermediateBlock {
    private static let size = 16 * 1024

    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    /// What the next coding has not consumed.
    var rest = UnsafeRawBufferPointer(start: nil, count: 0)

    deinit { memory.deallocate() }

    /// Fills the block, of which nothing is left.
    ///
    /// - Parameter body: Writes into the memory, and advances it past what it wrote.
    /// - Returns: How many bytes were written.
    /// - Throws: What `body` throws.
    func fill(
        _ body: (_ room: inout UnsafeMutableRawBufferPointer) throws(ContentDecodingError) -> Void
    ) throws(ContentDecodingError) -> Int {
        var room = memory
        try body(&room)
        rest = UnsafeRawBufferPointer(rebasing: memory.dropLast(room.count))
        return rest.count
    }
}
#endif
