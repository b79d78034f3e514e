/// A reference to a resource as a server or a person wrote it, parsed and resolved by RFC 3986, on its bytes.
///
/// Escapes stay unchanged, byte for byte. Only bytes that are not allowed in their place become escapes, including a `%`
/// that does not begin one. Foundation's parser escapes every `%` of a component if one of its characters needs an escape,
/// which turns `/a?x=%26&y=|` into another resource.
package struct URLReference: Hashable, Sendable {
    /// The scheme as it was written; `nil` for a relative reference.
    private(set) var scheme: ArraySlice<UInt8>?
    /// The part of the authority before its last `@`.
    package var userInformation: ArraySlice<UInt8>?
    /// The host and the port; `nil` if there is no authority.
    private(set) var hostAndPort: ArraySlice<UInt8>?
    private(set) var path: ArraySlice<UInt8>
    private(set) var query: ArraySlice<UInt8>?
    package var fragment: ArraySlice<UInt8>?

    /// Parses a reference (RFC 3986 appendix B); `nil` if the text in the place of the host and the port is invalid.
    ///
    /// Bytes that are not ASCII are escaped unchanged, except in a host, which becomes ASCII by the rules for
    /// internationalized names.
    package init?(_ bytes: some Sequence<UInt8>) {
        var rest = Array(bytes)[...]
        let scheme = rest.prefix { $0.isSchemeCharacter }
        if scheme.first?.isASCIILetter == true, rest[scheme.endIndex...].first == UInt8(ascii: ":") {
            self.scheme = scheme
            rest = rest[scheme.endIndex...].dropFirst()
        }
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = Self.escaped(rest[hash...].dropFirst(), keeping: \.isQueryCharacter)
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Self.escaped(rest[mark...].dropFirst(), keeping: \.isQueryCharacter)
            rest = rest[..<mark]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") }
            rest = rest[authority.endIndex...]
            var host = authority
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
                userInformation = Self.escaped(authority[..<at]) { $0.isPathCharacter && $0 != UInt8(ascii: "@") }
                host = authority[at...].dropFirst()
            }
            guard let host = Self.hostAndPort(host) else { return nil }
            hostAndPort = host
        }
        path = Self.escaped(rest) { $0.isPathCharacter || $0 == UInt8(ascii: "/") }
    }

    /// Resolves the reference (RFC 3986 §5.2.2, without the exception for a scheme that equals the base's).
    ///
    /// The base supplies missing components. The result has no dot segments in its path, which an absolute reference may
    /// have, too.
    package func resolved(against base: URLReference) -> URLReference {
        guard scheme == nil else { return withoutDotSegments }
        var result = self
        result.scheme = base.scheme
        guard hostAndPort == nil else { return result.withoutDotSegments }
        result.hostAndPort = base.hostAndPort
        result.userInformation = base.userInformation
        if path.isEmpty {
            result.path = base.path
            result.query = query ?? base.query
            return result
        }
        if path.first != UInt8(ascii: "/") {
            let folder = base.path.lastIndex(of: UInt8(ascii: "/")).map { base.path[...$0] } ?? []
            result.path = (folder.isEmpty && base.hostAndPort != nil ? [UInt8(ascii: "/")] : folder) + path
        }
        return result.withoutDotSegments
    }

    /// The reference without dot segments (RFC 3986 §5.2.4); the same one if its path does not begin with a slash.
    var withoutDotSegments: URLReference {
        let slash = UInt8(ascii: "/")
        guard path.first == slash, path.contains(UInt8(ascii: ".")) else { return self }
        var kept: [ArraySlice<UInt8>] = []
        var endsWithSlash = false
        for segment in path.dropFirst().split(separator: slash, omittingEmptySubsequences: false) {
            let goesUp = segment.elementsEqual("..".utf8)
            endsWithSlash = goesUp || segment.elementsEqual(".".utf8)
            if goesUp { _ = kept.popLast() } else if !endsWithSlash { kept.append(segment) }
        }
        if endsWithSlash { kept.append([]) }
        var result = self
        result.path = []
        for segment in kept {
            result.path.append(slash)
            result.path += segment
        }
        return result
    }

    /// The reference as text (RFC 3986 §5.3), which holds only characters that Foundation keeps as they are.
    var text: String {
        var bytes: [UInt8] = []
        if let scheme { bytes += scheme + [UInt8(ascii: ":")] }
        if let hostAndPort {
            bytes += "//".utf8
            if let userInformation { bytes += userInformation + [UInt8(ascii: "@")] }
            bytes += hostAndPort
        } else if path.starts(with: "//".utf8) {
            // Otherwise, the path would be read as a host.
            bytes += "/.".utf8
        }
        bytes += path
        if let query { bytes += [UInt8(ascii: "?")] + query }
        if let fragment { bytes += [UInt8(ascii: "#")] + fragment }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The reference as a URL; `nil` for an invalid host or an empty reference.
    package var url: URL? { URL(string: text) }

    // MARK: Escapes

    private static func escaped(_ bytes: ArraySlice<UInt8>, keeping isKept: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            let beginsEscape = byte == UInt8(ascii: "%") && PercentEncoding.value(of: rest.prefix(2)) != nil
            if beginsEscape || isKept(byte) { result.append(byte) } else { PercentEncoding.append(byte, to: &result) }
        }
        return result[...]
    }

    /// Returns a host with its port as ASCII; `nil` if it cannot be one.
    private static func hostAndPort(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.lastIndex(of: UInt8(ascii: "]")) else { return nil }
            // The zone of an address may have a `%` that is not escaped (RFC 6874 §3).
            let address = escaped(bytes[..<bracket].dropFirst(), keeping: \.isPathCharacter)
            guard let port = port(bytes[bracket...].dropFirst()) else { return nil }
            return [UInt8(ascii: "[")] + address + [UInt8(ascii: "]")] + port
        }
        let host = bytes.prefix { $0 != UInt8(ascii: ":") }
        guard let port = port(bytes[host.endIndex...]), let name = name(host) else { return nil }
        return name + port
    }

    private static func port(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let isPort = bytes.first.map { $0 == UInt8(ascii: ":") } ?? true
        return isPort && bytes.dropFirst().allSatisfy { (0x30...0x39).contains($0) } ? bytes : nil
    }

    private static func name(_ host: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard host.contains(where: { $0 >= 0x80 }) else {
            let escaped = escaped(host) { $0.isPathCharacter && $0 != UInt8(ascii: "@") }
            return escaped.elementsEqual(host) ? host : nil
        }
        // Foundation knows the rules for internationalized names (UTS #46), and sees nothing but the host.
        let text =
            String(validating: host, as: UTF8.self) ?? String(String.UnicodeScalarView(host.map { Unicode.Scalar($0) }))
        guard let url = URL(string: "http://\(text)/") else { return nil }
        let name = Array(url.absoluteString.utf8.dropFirst("http://".utf8.count).dropLast())
        // Those rules turn U+FF0F into a slash, and some characters into others that would end the host.
        return name.allSatisfy(\.isUnreserved) ? name[...] : nil
    }
}

extension URLReference {
    /// Resolves a reference from a server against the URL of the response; `nil` if the result is not a URL.
    package static func resolve(_ reference: some Sequence<UInt8>, against base: URL) -> URL? {
        guard let base = URLReference(base.absoluteString.utf8) else { return nil }
        return URLReference(reference)?.resolved(against: base).url
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (0x61...0x7A).contains(asciiLowercased) }

    /// Whether the byte may be in a scheme, after its first letter (RFC 3986 §3.1).
    fileprivate var isSchemeCharacter: Bool {
        isASCIILetter || (0x30...0x39).contains(self) || "+-.".utf8.contains(self)
    }
}

extension URL {
    /// Creates a URL from a reference that a server sent, or that a person typed, by RFC 3986 §5.
    ///
    /// ```swift
    /// URL(reference: "/list?filter=%22a%22&ids[]=1", relativeTo: page)  // …/list?filter=%22a%22&ids%5B%5D=1
    /// ```
    ///
    /// Escapes stay unchanged, byte for byte, and only characters that are not allowed in their place become escapes.
    /// `URL(string:)` would turn the `%22` in the example into `%2522`, because the brackets need escapes. A `%` without two
    /// hexadecimal digits becomes `%25`. A host that is not ASCII is written as `xn--…`. Spaces, line breaks and other control
    /// characters at both ends, which often come with a copied link, are removed (WHATWG URL §4.4). With a base, dot segments
    /// such as `..` are removed, also from an absolute reference. The result is `nil` if there is no such URL, as for an empty
    /// reference without a base.
    ///
    /// - Parameters:
    ///   - reference: The reference, such as a link in the body of a response.
    ///   - base: The URL that it is relative to, such as ``ResponseHead/url``; `nil` leaves a relative reference relative.
    public init?(reference: String, relativeTo base: URL? = nil) {
        var bytes = Array(reference.utf8).drop { $0 <= 0x20 }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        var parsed = URLReference(bytes)
        if let base {
            guard let base = URLReference(base.absoluteString.utf8) else { return nil }
            parsed = parsed?.resolved(against: base)
        }
        guard let url = parsed?.url else { return nil }
        self = url
    }
}
