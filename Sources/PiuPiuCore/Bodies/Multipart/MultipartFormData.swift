/// A form with texts, data and files, encoded as `multipart/form-data` (RFC 7578), as browsers send it.
///
/// ```swift
/// var form = MultipartFormData()
/// form.append("Ada", name: "author")
/// form.append(file: photoURL, name: "photo", contentType: "image/jpeg")
///
/// var request = URLRequest(url: url, method: .post)
/// request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
/// request.httpBody = try form.encoded()
/// ```
///
/// Parts are sent in the order in which they were appended, and names may repeat. Appending only stores a part: types,
/// names and files are checked when the form is measured or sent, and those operations throw. A file must not change
/// until then.
///
/// Names and file names are written in UTF-8, as the WHATWG's
/// [encoding algorithm](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data)
/// requires: `"` as `%22`, carriage return as `%0D`, line feed as `%0A` and everything else unchanged, so that no name
/// can start another header field. A backslash is not escaped: werkzeug and aiohttp drop it, and busboy loses the part if it
/// is the last character. With other control characters, aiohttp and busboy refuse the whole form. The encoding differs
/// from a browser's in two ways:
///
/// - Newlines in texts and names are sent unchanged, and not converted to CR LF. A text arrives byte for byte.
/// - U+0000 in a name or a file name is refused. RFC 9110 §5.5 forbids it in a header field, and C programs would end
///   the name there.
///
/// The form's contents are not searched for the boundary, which is random enough not to occur in them.
public struct MultipartFormData: Sendable {
    /// The delimiter between the parts: letters, digits and hyphens, with 128 random bits.
    ///
    /// It is generated when the form is created, and copies of the form share it.
    public let boundary: String
    private(set) var parts: [MultipartFormPart] = []

    /// Creates an empty form with a random boundary.
    public init() {
        var random = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in
            let text = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        self.init(boundary: "PiuPiu-" + digits.joined())
    }

    /// Creates an empty form; a boundary has at most 70 characters, valid in a token and a boundary (RFC 2046 §5.1.1).
    init(boundary: String) {
        self.boundary = boundary
    }

    /// The request's `Content-Type`, with the boundary.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    // MARK: Parts

    /// Appends a text as the value of a text field.
    ///
    /// It has no content type (RFC 7578 §4.4) and is sent in UTF-8.
    ///
    /// - Parameters:
    ///   - value: The text, which is sent byte for byte.
    ///   - name: The name of the field.
    public mutating func append(_ value: String, name: String) {
        append(Data(value.utf8), name: name)
    }

    /// Appends data as the value of a field or as a file.
    ///
    /// - Parameters:
    ///   - data: The data, which is not copied.
    ///   - name: The name of the field.
    ///   - fileName: The file name to send; `nil` if the data is not a file.
    ///   - contentType: The media type (RFC 9110 §8.3.1), with parameters if needed, in ASCII without control
    ///     characters. By default `application/octet-stream` if there is a file name, and none otherwise; nothing is
    ///     guessed from names or content. An invalid media type is refused when the form is measured or sent.
    public mutating func append(_ data: Data, name: String, fileName: String? = nil, contentType: String? = nil) {
        append(.data(data, fileName: fileName, contentType: contentType), name: name)
    }

    /// Appends a file, which is read while it is sent.
    ///
    /// - Parameters:
    ///   - file: The file. A missing or unreadable file, or a folder, is refused when the form is measured or sent.
    ///   - name: The name of the field.
    ///   - fileName: The file name to send; by default the last component of the file's path.
    ///   - contentType: The media type (RFC 9110 §8.3.1), with parameters if needed, in ASCII without control
    ///     characters. By default `application/octet-stream`; nothing is guessed from names or content. An invalid
    ///     media type is refused when the form is measured or sent.
    public mutating func append(file: URL, name: String, fileName: String? = nil, contentType: String? = nil) {
        append(.file(file, fileName: fileName, contentType: contentType), name: name)
    }

    private mutating func append(_ value: Value, name: String) {
        parts.append(
            MultipartFormPart(value.content, name: name, fileName: value.fileName, contentType: value.contentType)
        )
    }
}

extension MultipartFormData: ExpressibleByDictionaryLiteral {
    /// The value of a field in a form that is written as a literal: a text, data or a file.
    public struct Value: Sendable, ExpressibleByStringInterpolation {
        fileprivate let content: MultipartFormPart.Content
        fileprivate let fileName: String?
        fileprivate let contentType: String?

        /// Creates the value of a text field from a literal.
        ///
        /// - Parameter value: The text, which is sent byte for byte.
        public init(stringLiteral value: String) {
            self = .text(value)
        }

        private init(_ content: MultipartFormPart.Content, _ fileName: String?, _ contentType: String?) {
            self.content = content
            self.fileName = fileName
            self.contentType = contentType
        }

        /// Creates the value of a text field, which is sent in UTF-8, without a content type.
        ///
        /// - Parameter text: The text, which is sent byte for byte.
        /// - Returns: The value.
        public static func text(_ text: String) -> Value {
            .data(Data(text.utf8))
        }

        /// Creates a value from data, as the value of a field or as a file.
        ///
        /// - Parameters:
        ///   - data: The data, which is not copied.
        ///   - fileName: The file name to send; `nil` if the data is not a file.
        ///   - contentType: The media type, as for ``append(_:name:fileName:contentType:)``.
        /// - Returns: The value.
        public static func data(_ data: Data, fileName: String? = nil, contentType: String? = nil) -> Value {
            Value(.bytes(data), fileName, contentType)
        }

        /// Creates a value from a file, which is read while it is sent.
        ///
        /// - Parameters:
        ///   - file: The file.
        ///   - fileName: The file name to send; by default the last component of the file's path.
        ///   - contentType: The media type, as for ``append(file:name:fileName:contentType:)``.
        /// - Returns: The value.
        public static func file(_ file: URL, fileName: String? = nil, contentType: String? = nil) -> Value {
            Value(.file(file), fileName ?? file.lastPathComponent, contentType)
        }
    }

    /// Creates a form from a literal, with a random boundary.
    ///
    /// ```swift
    /// let form: MultipartFormData = ["author": "Ada", "photo": .file(photoURL, contentType: "image/jpeg")]
    /// ```
    ///
    /// - Parameter elements: The names and values; their order is kept, and a name may occur more than once.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init()
        for (name, value) in elements { append(value, name: name) }
    }
}

extension MultipartFormData.Value: Redacted {
    /// The kind and the length of the content, so that `dump` shows neither names nor contents.
    package var shown: KeyValuePairs<String, Any> {
        switch content {
        case .bytes(let data): ["content": "\(data.count) bytes"]
        case .file: ["content": "file"]
        }
    }
}

extension MultipartFormData: Redacted {
    /// The number of parts, without their contents.
    public var description: String { "multipart/form-data with \(parts.count) part\(parts.count == 1 ? "" : "s")" }

    /// The same as the description, so that `dump` shows no names or contents.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
