extension MultipartFormData {
    /// Returns the length of the encoded form, in bytes.
    ///
    /// The files are checked, but not read.
    ///
    /// - Returns: The exact length, unless a file changes.
    /// - Throws: ``TransferError``, with the code `invalidPart` for an invalid media type or for a NUL in a name, and
    ///   with a file's code, such as `fileNotFound`, if a file cannot be read.
    public func contentLength() throws -> Int64 {
        try assembled().length
    }

    /// Encodes the whole form in memory, including its files; meant for small forms.
    ///
    /// The calling thread reads the files. Nothing is read if the form is too large.
    ///
    /// - Parameter limit: The maximum length, in bytes; 64 MiB by default.
    /// - Returns: The body of the request, which needs the content type in ``contentType``.
    /// - Throws: ``TransferError``, with the code `bodyTooLarge` if the form is longer than the limit, with the code
    ///   `fileChanged` if the length of a file changes meanwhile, and the errors of ``contentLength()``.
    public func encoded(limit: Int = 64 * 1024 * 1024) throws -> Data {
        let (segments, length) = try assembled()
        guard length <= Int64(limit) else {
            let reason = "The form has \(length) bytes, but only \(limit) are allowed in memory"
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

    /// Returns the pieces of the body; throws the errors of ``contentLength()``.
    ///
    /// Small neighbors are joined; large data is a separate piece and shares the memory of the appended data. The sum of the
    /// lengths fits in an `Int64`.
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

    /// Appends a file, which must still have the length it had when it was checked.
    static func append(_ url: URL, length: Int64, to body: inout Data) throws {
        let (file, current) = try OpenFile.reading(url)
        guard current == length else { throw TransferError(.fileChanged, file: url) }
        var offset: Int64 = 0
        while offset < length {
            // Read in pieces, because reading the whole file at once would hold it in memory twice.
            let data = try file.read(at: offset, count: Int(min(length - offset, 1024 * 1024)))
            guard !data.isEmpty else { throw TransferError(.fileChanged, file: url) }
            body.append(data)
            offset += Int64(data.count)
        }
    }
}
