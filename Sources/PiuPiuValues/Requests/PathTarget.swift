/// The URL of a request that is made from a text; see ``RequestDefaults/url(_:query:)`` for the rules.
package struct PathTarget {
    /// The URL, with the query of the text.
    package let url: URL
    /// The names in the query of the text, decoded.
    package let queryNames: Set<String>
    /// Whether the URL has the origin of the base URL, or there is no base URL.
    package let takesDefaults: Bool

    package init(_ text: String, base: URL?, allowsAbsoluteURLs: Bool) throws {
        do throws(Fault) {
            self = try Self.parsed(text, base: base, allowsAbsoluteURLs: allowsAbsoluteURLs)
        } catch {
            throw RequestPathError(error.code, error.code == .invalidBaseURL ? "" : text)
        }
    }

    private init(url: URL, query: some Sequence<UInt8>, takesDefaults: Bool) {
        self.url = url
        queryNames = Set(
            Array(query).split(separator: UInt8(ascii: "&")).map { item in
                let name = item.prefix { $0 != UInt8(ascii: "=") }.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
                return String(decoding: PercentEncoding.decoded(name), as: UTF8.self)
            }
        )
        self.takesDefaults = takesDefaults
    }

    private struct Fault: Error {
        let code: RequestPathError.Code

        init(_ code: RequestPathError.Code) { self.code = code }
    }

    private static func parsed(_ text: String, base: URL?, allowsAbsoluteURLs: Bool) throws(Fault) -> PathTarget {
        let bytes = Array(text.utf8)
        if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) { throw Fault(.controlCharacter) }
        if bytes.contains(UInt8(ascii: "#")) { throw Fault(.fragment) }
        let path = bytes.prefix { $0 != UInt8(ascii: "?") }
        if path.contains(UInt8(ascii: "\\")) { throw Fault(.backslash) }
        let base: Base? = if let base { try Base(base) } else { nil }

        if path.starts(with: "//".utf8) {
            guard let base else { throw Fault(.noBaseURL) }
            guard allowsAbsoluteURLs else { throw Fault(.hasHost) }
            return try absolute("\(base.scheme):\(text)", base)
        }
        if isAbsolute(path) {
            guard base == nil || allowsAbsoluteURLs else { throw Fault(.absoluteURL) }
            return try absolute(text, base)
        }
        guard let base else { throw Fault(.noBaseURL) }
        var result = base.bytes + (try PathSegments.joined(path))
        let query = bytes[path.endIndex...].dropFirst()
        if path.endIndex < bytes.endIndex {
            result.append(UInt8(ascii: "?"))
            try appendQuery(query, to: &result)
        }
        guard let url = URL(string: String(decoding: result, as: UTF8.self)) else { throw Fault(.invalidURL) }
        return PathTarget(url: url, query: query, takesDefaults: true)
    }

    /// Whether a text begins with a scheme and not merely with a segment that contains a colon.
    private static func isAbsolute(_ path: ArraySlice<UInt8>) -> Bool {
        let scheme = path.prefix { byte in
            (0x61...0x7A).contains(byte.asciiLowercased) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
        }
        let rest = path[scheme.endIndex...]
        guard rest.first == UInt8(ascii: ":"), !scheme.isEmpty else { return false }
        let name = String(decoding: scheme.map(\.asciiLowercased), as: UTF8.self)
        return rest.dropFirst().starts(with: "//".utf8) || name == "http" || name == "https"
    }

    private static func absolute(_ text: String, _ base: Base?) throws(Fault) -> PathTarget {
        guard let url = URL(reference: text), let target = try? RequestTarget(url), target.userInformation == nil else {
            throw Fault(.invalidURL)
        }
        let query = url.absoluteString.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
        return PathTarget(url: url, query: query, takesDefaults: base == nil || base?.origin == target.origin)
    }

    /// Appends a query, and encodes the characters that a query cannot contain.
    private static func appendQuery(_ query: ArraySlice<UInt8>, to result: inout [UInt8]) throws(Fault) {
        var rest = query
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard PercentEncoding.value(of: rest.prefix(2)) != nil else { throw Fault(.invalidEscape) }
                result.append(byte)
            } else if byte.isQueryCharacter {
                result.append(byte)
            } else {
                PercentEncoding.append(byte, to: &result)
            }
        }
    }

    /// A base URL that passed the checks.
    private struct Base {
        let scheme: String
        let origin: String
        /// The URL without the slashes at its end.
        let bytes: [UInt8]

        init(_ url: URL) throws(Fault) {
            let text = url.absoluteString
            guard let target = try? RequestTarget(url), target.userInformation == nil,
                !text.utf8.contains(UInt8(ascii: "?")), !text.utf8.contains(UInt8(ascii: "#"))
            else { throw Fault(.invalidBaseURL) }
            scheme = target.isSecure ? "https" : "http"
            origin = target.origin
            let all = Array(text.utf8)
            let authority = (all.firstIndex(of: UInt8(ascii: ":")) ?? 0) + 3
            let path = all[authority...].drop { $0 != UInt8(ascii: "/") }
            let segments = try? PathSegments.joined(path)
            var isSame = segments.map { $0.elementsEqual(path) } ?? false
            if path.isEmpty { isSame = true }
            guard isSame else { throw Fault(.invalidBaseURL) }
            bytes = all.last == UInt8(ascii: "/") ? all.dropLast() : all
        }
    }

    /// The segments of a path.
    private enum PathSegments {
        /// Returns a path to append: empty, or with a slash before each segment.
        static func joined(_ path: ArraySlice<UInt8>) throws(Fault) -> [UInt8] {
            guard !path.isEmpty else { return [] }
            let slash = UInt8(ascii: "/")
            let relative = path.first == slash ? path.dropFirst() : path
            let segments = relative.split(separator: slash, omittingEmptySubsequences: false)
            var kept: [[UInt8]] = []
            var endsWithSlash = false
            for (index, segment) in segments.enumerated() {
                endsWithSlash = false
                if segment.isEmpty {
                    guard index == segments.count - 1 else { throw Fault(.emptySegment) }
                    endsWithSlash = true
                } else if segment.elementsEqual(".".utf8) {
                    endsWithSlash = true
                } else if segment.elementsEqual("..".utf8) {
                    guard kept.popLast() != nil else { throw Fault(.leavesBasePath) }
                    endsWithSlash = true
                } else {
                    kept.append(try encoded(segment))
                }
            }
            return kept.flatMap { [slash] + $0 } + (endsWithSlash ? [slash] : [])
        }

        private static func encoded(_ segment: ArraySlice<UInt8>) throws(Fault) -> [UInt8] {
            var result: [UInt8] = []
            var rest = segment
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "%") {
                    guard PercentEncoding.value(of: rest.prefix(2)) != nil else { throw Fault(.invalidEscape) }
                    result.append(byte)
                } else if byte.isPathCharacter {
                    result.append(byte)
                } else {
                    PercentEncoding.append(byte, to: &result)
                }
            }
            if isDisguised(Array(segment)) { throw Fault(.disguisedDots) }
            return result
        }

        /// Whether some server could read a part of a segment as `.` or `..`.
        ///
        /// Servers decode escapes, some of them twice, some read a backslash as a slash, and some ignore the text after a
        /// semicolon or a control character.
        private static func isDisguised(_ segment: [UInt8]) -> Bool {
            var text = segment
            for _ in 0..<4 {
                let parts = text.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
                let hasDots = parts.contains { part in
                    let name = part.prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") }
                    return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
                }
                if hasDots { return true }
                let decoded = PercentEncoding.decoded(text)
                if decoded == text { return false }
                text = decoded
            }
            // No honest client encodes a name so often.
            return true
        }
    }
}
