/// Reads a regular file piece by piece, on a file thread.
package actor FileReader {
    private static let pieceSize: Int64 = 256 * 1024

    private let queue = FileQueue()
    private var file: OpenFile?
    /// The length of the file when it was opened; `nil` if the system reports none, as for files in `/proc`.
    private var length: Int64?
    private var offset: Int64 = 0

    package init() {}

    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// Opens the file and returns its length in bytes; `nil` if the system reports none.
    ///
    /// Throws ``TransferError`` with the code `notARegularFile` for a folder, a device or a pipe.
    package func open(_ url: URL) throws -> Int64? {
        let opened = try OpenFile.reading(url)
        file = opened.file
        length = opened.length > 0 ? opened.length : nil
        return length
    }

    /// Reads the next piece; at the end, closes the file and returns `nil`.
    ///
    /// Throws ``TransferError`` with the code `fileChanged` if the file became shorter.
    package func next() throws -> Data? {
        guard let file else { return nil }
        let count = min(Self.pieceSize, length.map { $0 - offset } ?? .max)
        let piece = try file.read(at: offset, count: Int(count))
        offset += Int64(piece.count)
        if let length, piece.count < count {
            throw TransferError(.fileChanged, reason: "The file no longer has its \(length) bytes", file: file.url)
        }
        if piece.isEmpty || offset == length { self.file = nil }
        return piece.isEmpty ? nil : piece
    }
}
