import PiuPiuAsync
import PiuPiuPolicies

/// The parts of a URL that are compared, parsed as text because a file may contain invalid URLs.
struct HARTarget: Sendable {
    /// A part of a query, percent-decoded.
    struct Item: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// The scheme, host and port in lower case, without a default port and without user information.
    let origin: String
    /// The path, percent-decoded.
    let path: String
    /// The items of the query, in order.
    let items: [Item]

    init(_ url: String) {
        let url = Redaction.withoutUserInformation(url).prefix { $0 != "#" }
        let (front, query) = url.splitAtFirst("?")
        items = query.map(Self.items) ?? []
        guard let slashes = front.range(of: "//") else {
            origin = ""
            path = Self.decoded(front)
            return
        }
        let scheme = front[..<slashes.lowerBound].lowercased()
        let rest = front[slashes.upperBound...]
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        var authority = rest[..<end]
        for (usual, port) in [("http:", ":80"), ("https:", ":443"), (scheme, ":")]
        where scheme == usual && authority.hasSuffix(port) {
            authority = authority.dropLast(port.count)
        }
        origin = scheme + "//" + authority.lowercased()
        path = end == rest.endIndex ? "/" : Self.decoded(rest[end...])
    }

    /// Parses the items of a query or of a form (WHATWG URL §5.1).
    static func items(_ query: some StringProtocol) -> [Item] {
        query.split(separator: "&").map { part in
            let (name, value) = Substring(part).splitAtFirst("=")
            return Item(name: formDecoded(name), value: value.map { formDecoded($0) } ?? "")
        }
    }

    static func formDecoded(_ text: some StringProtocol) -> String { SecretScrubber.formDecoded(text) }

    /// Decodes a path, in which another client may have left a `%` that begins no escape.
    private static func decoded(_ text: some StringProtocol) -> String {
        String(validating: PercentEncoding.decoded(text.utf8), as: UTF8.self) ?? String(text)
    }
}
