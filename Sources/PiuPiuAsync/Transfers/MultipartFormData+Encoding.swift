extension MultipartFormData {
    /// How long the form is when it is sent, in bytes.
    ///
    /// The files are looked at, and not read.
    ///
    /// - Returns: The exact length, as long as no file changes.
    /// - Throws: ``TransferError``, with the code `invalidPart` for a content type that is no media type and for a NUL in a
    ///   name, and with a file's codes, such as `fileNotFound`, where a file cannot be read.
    public func contentLength() throws -> Int64 {
        try assembled().length
    }

    /// The whole form in memory, with its files, for small forms.
    ///
    /// The files are read by the calling thread, and nothing is read where the form is too large.
    ///
    /// - Parameter limit: How many bytes it may have; 64 MiB by default.
    /// - Returns: The body of the request, which goes with the header field of ``contentType``.
    /// - Throws: ``TransferError``, with the code `bodyTooLarge` where the form is longer than the limit, with the code
    ///   `fileChanged` where a file changes its length meanwhile, and as ``contentLength()`` does.
    public func encoded(limit: Int = 64 * 1024 * 1024) throws -> Data {
        let (segments, length) = try assembled()
        guard length <= Int64(limit) else {
            let reason = "The form has \(length) bytes, and \(limit) are allowed in memory"
            throw TransferError(.bodyTooLarge, reason: reason)
        }
        if segments.count == 1, case .bytes(let data)? = segments.first { return data }
        var body = Data(capacity: Int(length))
        for segment in segments {
            switch segment {
            case .bytes(let data): body.append(data)
            case .file(let url, let length): try Self.append(url, length: length, to: &body)
            }
        }
        return body
    }

    /// The pieces of the body.
    ///
    /// - Returns: The pieces. Small neighbours are one piece; large data is a piece of its own and shares the memory of what
    ///   was appended. The sum of their lengths is an `Int64`.
    /// - Throws: ``TransferError`` as ``contentLength()`` does.
    func segments() throws -> [RequestBodySegment] {
        try assembled().segments
    }

    private func assembled() throws -> (segments: [RequestBodySegment], length: Int64) {
        var body = RequestBodyBuilder()
        for (index, part) in parts.enumerated() {
            try body.append(part.head(boundary: boundary, position: index + 1))
            switch part.content {
            case .bytes(let data): try body.append(data)
            case .file(let url): try body.append(.reading(url))
            }
            try body.append(Data("\r\n".utf8))
        }
        try body.append(Data("--\(boundary)--\r\n".utf8))
        return (body.finished(), body.length)
    }

    /// Appends a file, which has to be as long as it was when it was looked at.
    static func append(_ url: URL, length: Int64, to body: inout Data) throws {
        let (file, current) = try OpenFile.reading(url)
        guard current == length else { throw TransferError(.fileChanged, file: url) }
        var offset: Int64 = 0
        while offset < length {
            // Not the whole file at once, which would be in memory twice.
            let data = try file.read(at: offset, count: Int(min(length - offset, 1024 * 1024)))
            guard !data.isEmpty else { throw TransferError(.fileChanged, file: url) }
            body.append(data)
            offset += Int64(data.count)
        }
    }
}
