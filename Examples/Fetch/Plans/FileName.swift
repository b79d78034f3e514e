import Foundation

/// Names for files that come from elsewhere: never outside a folder, hidden, or with characters that a terminal obeys.
enum FileName {
    private static let longest = 200
    private static let usual = "download"

    /// The last part of a URL's path; `download` if that cannot be a name.
    static func of(_ url: URL) -> String {
        let path = url.path(percentEncoded: true)
        guard !path.hasSuffix("/"), let last = path.split(separator: "/").last,
            let name = String(last).removingPercentEncoding
        else { return usual }
        // A percent-encoded slash must not lead elsewhere, nor name a part of what the server calls a name.
        return name.contains("/") || name.contains("\\") ? usual : cleaned(name) ?? usual
    }

    /// The name that a server proposes in `Content-Disposition` (RFC 6266); `nil` if it proposes none that can be used.
    ///
    /// `filename*` in UTF-8 comes before `filename`. Of a path, only the last part counts (RFC 6266 §4.3).
    static func proposed(by contentDisposition: String) -> String? {
        let parameters = Self.parameters(of: contentDisposition)
        if let extended = parameters["filename*"] {
            let parts = extended.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
            if parts.count == 3, parts[0].lowercased() == "utf-8", let name = String(parts[2]).removingPercentEncoding,
                let cleaned = lastPart(of: name)
            {
                return cleaned
            }
        }
        return parameters["filename"].flatMap(lastPart)
    }

    private static func lastPart(of path: String) -> String? {
        path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.flatMap { cleaned(String($0)) }
    }

    /// The name without what is dangerous in it; `nil` if nothing is left.
    private static func cleaned(_ name: String) -> String? {
        // A name from elsewhere must be valid UTF-8 and look like what it is.
        guard !name.contains("\u{FFFD}"), !name.unicodeScalars.contains(where: SafeText.isHarmful) else { return nil }
        var name = Substring(name.trimmingCharacters(in: .whitespaces))
        // Hidden files configure programs, and a dash would begin an option.
        while let first = name.first, first == "." || first == "-" || first == "~" { name = name.dropFirst() }
        while name.last == "." || name.last == " " { name = name.dropLast() }
        guard !name.isEmpty, name.utf8.count <= longest else { return nil }
        return String(name)
    }

    /// The parameters of a field, with their names in lower case; the first of each name.
    private static func parameters(of field: String) -> [String: String] {
        var parameters: [String: String] = [:]
        for match in field.matches(of: #/;\s*([A-Za-z*]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/#) {
            let quoted = match.2.map { String($0).replacing(#/\\(.)/#) { $0.1 } }
            let value = quoted ?? match.3.map(String.init) ?? ""
            let name = match.1.lowercased()
            if parameters[name] == nil { parameters[name] = value }
        }
        return parameters
    }
}
