/// Parses the `Link` header field (RFC 8288 appendix B.2), in one pass over its bytes.
///
/// Text that does not begin with `<` is skipped up to the next comma, so that one broken link does not hide the others.
struct LinkParser {
    /// The maximum number of links to read from a response; no server needs as many.
    static let maximumCount = 1000

    /// A link as it was sent.
    struct Link: Hashable, Sendable {
        /// The reference between the angle brackets, in any encoding.
        var reference: [UInt8]
        /// The parameters in order, with their names in lower case and their values without quotes.
        var parameters: [WebLink.Parameter] = []

        /// The reference as text.
        var target: String { LinkParser.text(reference[...]) }

        /// The value of the first parameter of a name; later ones do not count (RFC 8288 §3).
        func value(of name: String) -> String? {
            parameters.first { $0.name == name }?.value
        }
    }

    private var scanner: FieldScanner

    /// Parses the values of the field's lines; returns the links in order, at most ``maximumCount``.
    static func links(in values: some Sequence<[UInt8]>) -> [Link] {
        var links: [Link] = []
        for value in values {
            var parser = LinkParser(scanner: FieldScanner(value))
            while links.count < maximumCount, let link = parser.next() { links.append(link) }
        }
        return links
    }

    private mutating func next() -> Link? {
        while scanner.next != nil {
            scanner.take { $0.isHTTPWhitespace || $0 == UInt8(ascii: ",") }
            guard scanner.skip("<") else {
                scanner.take { $0 != UInt8(ascii: ",") }
                continue
            }
            let target = scanner.take { $0 != UInt8(ascii: ">") }
            guard scanner.skip(">") else { return nil }
            var link = Link(reference: Array(target))
            while let parameter = nextParameter() { link.parameters.append(parameter) }
            return link
        }
        return nil
    }

    private mutating func nextParameter() -> WebLink.Parameter? {
        scanner.skipBlanks()
        guard scanner.skip(";") else { return nil }
        scanner.skipBlanks()
        let name = scanner.take { !$0.isHTTPWhitespace && !"=;,".utf8.contains($0) }
        var parameter = WebLink.Parameter(name: Self.text(name.map(\.asciiLowercased)[...]), value: "")
        scanner.skipBlanks()
        guard scanner.skip("=") else { return parameter }
        parameter.value = Self.text(scanner.parameterValue(endedBy: ";,".utf8)[...])
        return parameter
    }

    /// Decodes UTF-8, and otherwise ISO 8859-1, as for other fields.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
