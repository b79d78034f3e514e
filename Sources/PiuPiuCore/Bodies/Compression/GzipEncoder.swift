/// Compresses bytes to one gzip member (RFC 1952), piece by piece.
///
/// The output contains no name and no time, so equal input gives equal output. An encoder uses about 256 KiB of memory.
package final class GzipEncoder {
    /// The number of bytes to compress between two checks for cancellation.
    static let pieceSize = 128 * 1024

    /// zlib's default: a smaller output would take much more time.
    private static let level: Int32 = 6
    private static let roomSize = 32 * 1024

    private var compressor: Compressor
    private let room: UnsafeMutableRawBufferPointer
    private var isFinished = false

    /// Starts a compression.
    ///
    /// - Parameter isAvailable: Whether zlib is available on this system.
    /// - Throws: ``TransportError`` with the code `unsupported` if it is not, or `outOfResources` if there is not enough
    ///   memory.
    package init(isAvailable: Bool = Compressor.isAvailable) throws(TransportError) {
        guard isAvailable else {
            let reason = "Compressing bodies requires zlib, which is not available on this system"
            throw TransportError(.unsupported, reason: reason)
        }
        guard let compressor = Compressor(level: Self.level) else {
            throw TransportError(.outOfResources, reason: "There is not enough memory to compress the body")
        }
        self.compressor = compressor
        // Last, because an initializer that throws does not run `deinit`.
        room = .allocate(byteCount: Self.roomSize, alignment: 16)
    }

    deinit {
        room.deallocate()
    }

    /// Compresses the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to compress.
    ///   - isLast: Whether this is the end of the input.
    /// - Returns: The new output, which is often empty, because zlib collects input first.
    /// - Throws: ``TransportError`` with the code `outOfResources` if the library fails.
    func encode(_ bytes: Data, isLast: Bool = false) throws(TransportError) -> Data {
        guard !isFinished else { return Data() }
        var output = Data()
        let isDone = bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while isLast || !rest.isEmpty {
                guard let step = compressor.step(&rest, isLast: isLast, into: room) else { return false }
                output.append(contentsOf: UnsafeRawBufferPointer(rebasing: room[..<step.count]))
                guard !step.hasMore else { continue }
                if rest.isEmpty { return true }
                // A step without progress would repeat forever.
                if step.count == 0, rest.count == bytes.count { return false }
            }
            return true
        }
        guard isDone else { throw TransportError(.outOfResources, reason: "The body could not be compressed") }
        isFinished = isLast
        return output
    }

    /// Compresses the next bytes, at most 128 KiB at a time.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to compress.
    ///   - feed: Receives a piece of the output; returns whether more is wanted.
    /// - Returns: Whether more is wanted.
    /// - Throws: The errors of ``encode(_:isLast:)`` and of `feed`.
    func encode(_ bytes: Data, _ feed: (Data) async throws -> Bool) async throws -> Bool {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = start + min(Self.pieceSize, bytes.endIndex - start)
            let output = try encode(bytes[start..<end])
            start = end
            if !output.isEmpty, try await !feed(output) { return false }
        }
        return true
    }

    /// Compresses bytes in memory, outside the caller's actor.
    ///
    /// - Parameters:
    ///   - pieces: The bytes to compress.
    ///   - limit: The number of output bytes at which to give up.
    ///   - isAvailable: Whether zlib is available on this system.
    /// - Returns: The output; `nil` if it reached the limit.
    /// - Throws: `CancellationError` if the task is cancelled; also the errors of ``init(isAvailable:)`` and
    ///   ``encode(_:isLast:)``.
    @concurrent
    package static func compressed(
        _ pieces: [Data],
        below limit: Int = .max,
        isAvailable: Bool = Compressor.isAvailable
    ) async throws -> Data? {
        let encoder = try GzipEncoder(isAvailable: isAvailable)
        var output = Data()
        for piece in pieces {
            let goesOn = try await encoder.encode(piece) { part in
                try Task.checkCancellation()
                output.append(part)
                return output.count < limit
            }
            guard goesOn else { return nil }
        }
        try Task.checkCancellation()
        output.append(try encoder.encode(Data(), isLast: true))
        return output.count < limit ? output : nil
    }
}

extension OneShot {
    /// Returns a stream that compresses this one while it is read.
    ///
    /// - Parameter length: The declared number of bytes before compression; `nil` if it is unknown.
    /// - Returns: The compressed stream.
    func gzipped(length: Int64?) -> OneShot {
        OneShot { feed in
            guard let iteration = self.take() else { throw TransferError(.bodyNotRepeatable) }
            let encoder = try GzipEncoder()
            var rest = length
            var isCut = false
            try await iteration { chunk in
                if let remaining = rest {
                    guard Int64(chunk.count) <= remaining else { throw TransferError.mismatch("more") }
                    rest = remaining - Int64(chunk.count)
                }
                let goesOn = try await encoder.encode(chunk, feed)
                if !goesOn { isCut = true }
                return goesOn
            }
            guard !isCut else { return }
            guard rest ?? 0 == 0 else { throw TransferError.mismatch("fewer") }
            _ = try await feed(encoder.encode(Data(), isLast: true))
        }
    }
}
