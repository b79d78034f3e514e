#if os(Linux)
/// The bytes between two codings of a body.
final class IntermediateBlock {
    private static let size = 16 * 1024

    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    /// The bytes that the next coding has not consumed.
    var rest = UnsafeRawBufferPointer(start: nil, count: 0)

    deinit { memory.deallocate() }

    /// Fills the block, whose previous bytes were all consumed.
    ///
    /// - Parameter body: A closure that writes into the memory and advances it past the bytes written.
    /// - Returns: How many bytes were written.
    /// - Throws: The errors of `body`.
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
