/// A media type, without its parameters (RFC 9110 §8.3.1).
package struct MediaType: Sendable, Hashable {
    /// The part before the slash, in lower case, such as `application`.
    package let type: String
    /// The part after the slash, in lower case, such as `json` or `problem+json`.
    package let subtype: String

    /// Parses a `Content-Type`, or a pattern of ``Validation``; `nil` if the text is not a media type.
    package init?(_ text: some StringProtocol) {
        let essence = String(decoding: text.utf8.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        // Only ASCII is valid: other white space would be trimmed below, and other letters may become ASCII in lower
        // case.
        guard essence.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let trimmed = parts.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        guard let type = trimmed.first, let subtype = trimmed.last else { return nil }
        guard [type, subtype].allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isTokenCharacter) }) else { return nil }
        self.type = type
        self.subtype = subtype
    }

    /// Returns whether this type matches a pattern: `application/json`, `application/*`, `application/*+json` or `*/*`.
    package func matches(_ pattern: MediaType) -> Bool {
        guard pattern.type == "*" || pattern.type == type else { return false }
        if pattern.subtype == "*" { return true }
        guard pattern.subtype.hasPrefix("*+") else { return pattern.subtype == subtype }
        // The suffix of RFC 6838 §4.2.8.
        return subtype.count >= pattern.subtype.count && subtype.hasSuffix(pattern.subtype.dropFirst())
    }
}

extension MediaType {
    /// Returns the media type for the name of a file; `application/octet-stream` for an unknown one.
    ///
    /// The table is small and the same on all platforms; it has the types that servers send to apps most often.
    package static func name(ofFile name: String) -> String {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let type = parts.last.flatMap({ types[$0.lowercased()] }) else {
            return "application/octet-stream"
        }
        return type
    }

    private static let types: [String: String] = [
        "json": "application/json", "geojson": "application/geo+json", "xml": "application/xml",
        "txt": "text/plain", "log": "text/plain", "md": "text/markdown", "csv": "text/csv",
        "html": "text/html", "htm": "text/html", "css": "text/css", "js": "text/javascript", "mjs": "text/javascript",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "heic": "image/heic", "svg": "image/svg+xml", "ico": "image/vnd.microsoft.icon",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav", "mp4": "video/mp4", "mov": "video/quicktime",
        "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip", "wasm": "application/wasm",
    ]
}
