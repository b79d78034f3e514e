/// One part of a ``MultipartFormData``, not yet checked.
struct MultipartFormPart: Sendable {
    /// What a part consists of.
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

    /// What stands before the content: the delimiter, the header fields of RFC 7578 §4.2 and §4.4, and an empty line.
    ///
    /// - Parameters:
    ///   - boundary: The form's boundary.
    ///   - position: The part's place in the form, from 1, which errors name instead of its name.
    /// - Returns: The bytes.
    /// - Throws: ``TransferError`` with the code `invalidPart`.
    func head(boundary: String, position: Int) throws -> Data {
        func refuse(_ what: String) -> TransferError {
            TransferError(.invalidPart, reason: "\(what) of part \(position) of the form")
        }
        guard !name.utf8.contains(0) else { throw refuse("There is a NUL in the name") }
        guard fileName?.utf8.contains(0) != true else { throw refuse("There is a NUL in the file name") }
        var head = Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"".utf8)
        Self.appendEscaped(name, to: &head)
        if let fileName {
            // Not also as `filename*`, which RFC 7578 §4.2 forbids.
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

    /// Writes a name as it stands between quotation marks, by the WHATWG's multipart/form-data encoding algorithm.
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

    /// Whether a text begins with a type and a subtype, and can be a line of a header whatever its parameters are.
    private static func isMediaType(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), let type = MediaType(text) else { return false }
        // No spaces before the type or around the slash.
        return text.lowercased().hasPrefix("\(type.type)/\(type.subtype)")
    }
}
