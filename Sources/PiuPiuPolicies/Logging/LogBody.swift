/// The beginning of a body in a line of the log.
struct LogBody {
    /// The text, or the size and the type.
    let text: String
    /// Whether a part of the body is missing.
    let isCut: Bool

    /// Creates the text for a body, from which a closure removes the secrets.
    init(_ body: ObservedBody, _ scrubbed: (_ bytes: Data, _ type: String) -> Data) {
        text = Self.text(of: body, scrubbed) ?? Self.size(of: body)
        isCut = !body.isWhole
    }

    /// Returns the body as text; `nil` if it is not known to be text.
    private static func text(of body: ObservedBody, _ scrubbed: (Data, String) -> Data) -> String? {
        guard let type = body.contentType, isText(type),
            ReadableBody.isReadable(body.beginning, type: type, coding: body.contentEncoding)
        else { return nil }
        let bytes = scrubbed(body.beginning, type)
        let text =
            switch type.charset {
            case nil, "utf-8", "us-ascii": decoded(bytes, isCut: !body.isWhole)
            case "iso-8859-1": String(data: bytes, encoding: .isoLatin1)
            default: nil as String?
            }
        // Text with zeros has another charset than its type says.
        return text.flatMap { $0.utf8.contains(0) ? nil : $0 }
    }

    /// Returns bytes as UTF-8; the last character may be incomplete.
    private static func decoded(_ bytes: Data, isCut: Bool) -> String? {
        for missing in 0...(isCut ? min(3, bytes.count) : 0) {
            if let text = String(lossless: bytes.dropLast(missing)) { return text }
        }
        return nil
    }

    private static func size(of body: ObservedBody) -> String {
        let type = body.contentType.flatMap { MediaType($0) }.map { " of \($0.type)/\($0.subtype)" } ?? ""
        let encoding = isPlain(body.contentEncoding) ? "" : ", encoded"
        return "<\(body.size) bytes\(type)\(encoding)>"
    }

    private static func isPlain(_ encoding: String?) -> Bool {
        encoding.map { ["", "identity"].contains($0.lowercased()) } ?? true
    }

    /// Whether content of a type is text.
    private static func isText(_ type: String) -> Bool {
        guard let type = MediaType(type) else { return false }
        let suffix = type.subtype.split(separator: "+").last.map { String($0) }
        return type.type == "text"
            || type.type == "application"
                && ["x-www-form-urlencoded", "x-ndjson", "jsonl", "json-seq", "graphql", "javascript"]
                    .contains(type.subtype)
            || ["json", "xml"].contains(suffix)
    }
}
