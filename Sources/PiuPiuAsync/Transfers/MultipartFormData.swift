/// A form with texts, data and files, as browsers send it: `multipart/form-data` (RFC 7578).
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
/// Parts are sent in the order in which they were appended, and names may repeat. Appending only remembers: types and
/// names are checked and files are looked at when the form is measured or sent, which is where it throws. A file has to
/// stay as it is until then.
///
/// Names and file names are written in UTF-8 as the WHATWG's
/// [encoding algorithm](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data) asks:
/// `"` as `%22`, carriage return as `%0D`, line feed as `%0A` and everything else as it is, so that no name can begin
/// another header field. A backslash stays one, which some servers misread at the end of a name. Two things differ from a
/// browser:
///
/// - The newlines of texts and names are sent as they are, and not made CR LF. A text arrives byte for byte.
/// - U+0000 in a name or a file name is refused. RFC 9110 §5.5 forbids it in a header field, and programs in C would see
///   the name end there.
///
/// The form is never searched for its boundary, which is random enough not to occur in it.
public struct MultipartFormData: Sendable {
    /// The text that stands between the parts: letters, digits and hyphens, with 128 random bits.
    ///
    /// It is made when the form is created, and copies of the form share it.
    public let boundary: String
    private(set) var parts: [MultipartFormPart] = []

    /// Creates an empty form with a boundary of its own.
    public init() {
        var random = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in
            let text = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        self.init(boundary: "PiuPiu-" + digits.joined())
    }

    /// Creates an empty form.
    ///
    /// - Parameter boundary: At most 70 characters that are allowed in a token and in a boundary (RFC 2046 §5.1.1).
    init(boundary: String) {
        self.boundary = boundary
    }

    /// The request's `Content-Type`, with the boundary.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    // MARK: Parts

    /// Appends a text, as the value of a text field.
    ///
    /// It has no content type (RFC 7578 §4.4) and is sent in UTF-8.
    ///
    /// - Parameters:
    ///   - value: The text, which is sent byte for byte.
    ///   - name: The name of the field.
    public mutating func append(_ value: String, name: String) {
        append(Data(value.utf8), name: name)
    }

    /// Appends data, as the value of a field or as a file.
    ///
    /// - Parameters:
    ///   - data: The data, which is not copied.
    ///   - name: The name of the field.
    ///   - fileName: The name the server is told; `nil` for what is no file.
    ///   - contentType: The media type (RFC 9110 §8.3.1), with parameters if needed, in ASCII without control characters.
    ///     By default `application/octet-stream` where there is a file name, and none where there is not; nothing is
    ///     guessed from names or content. What is no media type is refused when the form is measured or sent.
    public mutating func append(_ data: Data, name: String, fileName: String? = nil, contentType: String? = nil) {
        parts.append(MultipartFormPart(.bytes(data), name: name, fileName: fileName, contentType: contentType))
    }

    /// Appends a file, which is read while it is sent.
    ///
    /// - Parameters:
    ///   - file: The file. A missing or unreadable file or a folder is refused when the form is measured or sent.
    ///   - name: The name of the field.
    ///   - fileName: The name the server is told; by default the last part of the file's path.
    ///   - contentType: The media type (RFC 9110 §8.3.1), with parameters if needed, in ASCII without control characters.
    ///     By default `application/octet-stream`; nothing is guessed from names or content. What is no media type is
    ///     refused when the form is measured or sent.
    public mutating func append(file: URL, name: String, fileName: String? = nil, contentType: String? = nil) {
        let fileName = fileName ?? file.lastPathComponent
        parts.append(MultipartFormPart(.file(file), name: name, fileName: fileName, contentType: contentType))
    }
}

extension MultipartFormData: Redacted {
    /// How many parts there are, without what is in them.
    public var description: String { "multipart/form-data with \(parts.count) part\(parts.count == 1 ? "" : "s")" }

    /// The same as the description, so that `dump` shows no names and contents.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
