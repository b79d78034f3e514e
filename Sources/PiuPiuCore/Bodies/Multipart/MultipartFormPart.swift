/// One part of a ``MultipartFormData``, not yet validated.
struct MultipartFormPart: Sendable {
    /// The content of a part.
    enum Content: Sendable {
        /// Bytes in memory.
        case bytes(Data)
        /// A whole file.
        case file(URL)
    }

    let content: Content
    private let name: String
    private let fileName: String?
    private let contentType: String?

    init(_ content: Content, name: String, fileName: String?, contentType: String?) {
        self.content = content
        self.name = name
        self.fileName = fileName
        self.contentType = contentType ?? (fileName == nil ? nil : "application/octet-stream")
    }

    /// Returns the bytes before the content: delimiter, header fields (RFC 7578 §4.2, §4.4) and an empty line.
    ///
    /// An invalid part throws ``TransferError`` with the code `invalidPart` and the part's position, starting at 1, instead of
    /// its name.
    func head(boundary: String, position: Int) throws -> Data {
        func refuse(_ what: String) -> TransferError {
            TransferError(.invalidPart, reason: "\(what) of part \(position) of the form")
        }
        guard !name.utf8.contains(0) else { throw refuse("There is a NUL in the name") }
        guard fileName?.utf8.contains(0) != true else { throw refuse("There is a NUL in the file name") }
        var head = Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"".utf8)
        Self.appendEscaped(name, to: &head)
        if let fileName {
            // Do not also send `filename*`, which RFC 7578 §4.2 forbids.
            head.append(contentsOf: "\"; filename=\"".utf8)
            Self.appendEscaped(fileName, to: &head)
        }
        head.append(contentsOf: "\"\r\n".utf8)
        if let contentType {
            guard Self.isMediaType(contentType) else { throw refuse("There is no media type in the content type") }
            head.append(contentsOf: "Content-Type: \(contentType)\r\n".utf8)
        }
        head.append(contentsOf: "\r\n".utf8)
        return head
    }

    /// Appends a quoted name, escaped by the WHATWG's multipart/form-data encoding algorithm.
    private static func appendEscaped(_ name: String, to head: inout Data) {
        for byte in name.utf8 {
            switch byte {
            case 0x22: head.append(contentsOf: "%22".utf8)
            case 0x0D: head.append(contentsOf: "%0D".utf8)
            case 0x0A: head.append(contentsOf: "%0A".utf8)
            default: head.append(byte)
            }
        }
    }

    /// Whether a text starts with a type and a subtype, and is safe in a header line whatever its parameters are.
    private static func isMediaType(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), let type = MediaType(text) else { return false }
        // Refuse spaces before the type or around the slash.
        return text.lowercased().hasPrefix("\(type.type)/\(type.subtype)")
    }
}
