/// A link from the `Link` header field of a response (RFC 8288).
///
/// ```swift
/// let response = try await dispatcher.data(for: request)
/// if let next = response.link("next") { print(next.target) }
/// ```
public struct WebLink: Sendable, Hashable {
    struct Parameter: Sendable, Hashable {
        var name: String
        var value: String
    }

    /// The URL that the link leads to, resolved against the URL of the response.
    public let target: URL
    /// The resource that the link starts from: the response's URL, unless the link has an `anchor`.
    public let context: URL
    /// The relation types in lower case, such as `next`.
    public let relations: [String]
    private let parameters: [Parameter]

    /// Creates a link; `nil` if its target is not a URL, or if its `anchor` is not.
    init?(_ link: LinkParser.Link, base: URL) {
        guard let target = Self.resolve(link.reference, base) else { return nil }
        guard let context = link.value(of: "anchor").map({ Self.resolve($0.utf8, base) }) ?? base else { return nil }
        self.target = target
        self.context = context
        relations = Self.relations(of: link)
        parameters = link.parameters
    }

    /// Returns the value of a parameter, such as `title` or `type`.
    ///
    /// - Parameter name: The name; case does not matter.
    /// - Returns: The value without quotes; `nil` if the link has no such parameter.
    public func parameter(_ name: String) -> String? {
        parameters.first { $0.name.isEqualIgnoringASCIICase(to: name) }?.value
    }

    private static func resolve(_ reference: some Collection<UInt8>, _ base: URL) -> URL? {
        reference.isEmpty ? base : URLReference.resolve(reference, against: base)
    }

    private static func relations(of link: LinkParser.Link) -> [String] {
        let bytes = (link.value(of: "rel") ?? "").utf8.map(\.asciiLowercased)
        return bytes.split { $0.isHTTPWhitespace }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Finds the first link of a relation type that starts from the response itself.
    static func first(_ relation: String, in values: [[UInt8]], base: URL) -> WebLink? {
        candidates(relation, in: values, base: base).lazy.compactMap { WebLink($0, base: base) }.first
    }

    /// Returns whether there are links of a relation type, but none with a target that is a URL.
    static func isBroken(_ relation: String, in values: [[UInt8]], base: URL) -> Bool {
        let candidates = candidates(relation, in: values, base: base)
        return !candidates.isEmpty && candidates.allSatisfy { WebLink($0, base: base) == nil }
    }

    /// The links of a relation type that start from the response itself.
    private static func candidates(_ relation: String, in values: [[UInt8]], base: URL) -> [LinkParser.Link] {
        LinkParser.links(in: values).filter { link in
            guard relations(of: link).contains(where: relation.isEqualIgnoringASCIICase) else { return false }
            // Check the anchor last, because resolving every link would take time.
            guard let anchor = link.value(of: "anchor") else { return true }
            let start = resolve(anchor.utf8, base)?.absoluteString
            // The base may have dot segments, which a resolved reference does not have.
            return start == base.absoluteString || start == resolve(base.absoluteString.utf8, base)?.absoluteString
        }
    }
}

extension ResponseHead {
    /// The links of the `Link` header field (RFC 8288), in order.
    ///
    /// At most 1,000 links are read; those whose target is not a URL are left out.
    public var links: [WebLink] {
        LinkParser.links(in: bytes(of: "Link")).compactMap { WebLink($0, base: url) }
    }

    /// Returns the first link of a relation type that starts from this response.
    ///
    /// A link whose `anchor` is another resource, or a part of this one, does not count.
    ///
    /// - Parameter relation: The relation type, such as `next`; case does not matter.
    /// - Returns: The link; `nil` if there is none.
    public func link(_ relation: String) -> WebLink? {
        WebLink.first(relation, in: bytes(of: "Link"), base: url)
    }
}

extension Response {
    /// The links of the `Link` header field (RFC 8288), as in ``ResponseHead/links``; empty if the response is not HTTP.
    public var links: [WebLink] { head?.links ?? [] }

    /// Returns the first link of a relation type that starts from this response.
    ///
    /// - Parameter relation: The relation type, such as `next`; case does not matter.
    /// - Returns: The link, as for ``ResponseHead/link(_:)``; `nil` if there is none.
    public func link(_ relation: String) -> WebLink? { head?.link(relation) }
}

extension WebLink: Redacted {
    /// The relation types and the target, without user information and query.
    package var shown: KeyValuePairs<String, Any> {
        ["relations": relations, "target": Redaction.standard.location(of: target)]
    }
}
