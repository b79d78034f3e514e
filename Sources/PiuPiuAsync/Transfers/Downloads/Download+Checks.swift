// The checks of a download: responses, sizes, the digest and the part.
extension Download {
    /// Checks a size against the limits, as far as it is known.
    func checkSize(_ size: Int64, _ total: Int64?) throws {
        let known = max(size, total ?? 0)
        if let limit = options.maximumSize, known > limit {
            var error = TransportError(
                .bodyTooLarge,
                request: request,
                bytesReceived: Int(clamping: size),
                sensitiveHeaders: sensitiveHeaders
            )
            error.limit = TransportError.Limit("DownloadOptions.maximumSize", byteCount: limit)
            throw error
        }
        if let expected = options.expectedSize, known > expected || total ?? expected != expected {
            throw wrongSize(total ?? size, insteadOf: expected)
        }
    }

    /// Returns the error for a file of another size than the expected one.
    func wrongSize(_ size: Int64, insteadOf expected: Int64) -> TransferError {
        let reason = "The server sends \(ErrorText.bytes(size)) instead of the expected \(ErrorText.bytes(expected))"
        return TransferError(.sizeMismatch, reason: reason, file: destination)
    }

    /// Starts the digest with the bytes that an earlier download wrote.
    func beginDigest(_ file: OpenFile, upTo end: Int64) async throws {
        guard let check = options.digest else { return }
        digest = check.make()
        var offset: Int64 = 0
        while offset < end {
            try Task.checkCancellation()
            let piece = try file.read(at: offset, count: Int(min(1 << 18, end - offset)))
            guard !piece.isEmpty else { throw partChanged() }
            piece.withUnsafeBytes { digest?.update(bytes: $0) }
            offset += Int64(piece.count)
        }
    }

    /// Returns whether a response matches the request's conditions.
    ///
    /// A partial response needs a range in the request, and a "not modified" response needs a condition
    /// (RFC 9110 §15.3.7, §15.4.5).
    static func wasAskedFor(_ statusCode: StatusCode, by request: URLRequest) -> Bool {
        func has(_ name: String) -> Bool { request.value(forHTTPHeaderField: name) != nil }
        return switch statusCode {
        case .partialContent: has("Range")
        case .notModified: has("If-None-Match") || has("If-Modified-Since")
        default: true
        }
    }

    /// Returns the error for a part that another process changed, and marks it as not reusable.
    func partChanged() -> TransferError {
        partFate = .removed(.changed)
        return TransferError(.fileChanged, reason: "Another process changed the partial file", file: destination)
    }

    /// Returns the error for a server that contradicts itself, and marks the part as not reusable.
    func mismatch() -> TransferError {
        partFate = .removed(.contradiction)
        return TransferError(.sizeMismatch, file: destination)
    }
}
