/// The texts of a message that must stay hidden if a server repeats them.
package struct SecretTexts {
    /// The length of the shortest text that is hidden in bodies, in bytes.
    ///
    /// It is longer than ``SecretFinder/shortest``, because a body is data: the value of a cookie such as `theme=midnight`, or
    /// a password of eight letters, may be a word in it.
    package static let shortestInBodies = 12

    /// The length of the shortest value without a digit that is hidden in bodies, in bytes, except for `Authorization`.
    ///
    /// A shorter one, such as `America/New_York`, may occur in any text.
    private static let shortestWord = 20

    private var texts: [[UInt8]] = []
    private var textsInBodies: [[UInt8]] = []

    /// Creates an empty list.
    package init() {}

    /// Adds the secrets of a request as it was sent: of the fields for which `isSecret` returns `true`, and of its URL.
    package mutating func add(_ request: URLRequest, isSecret: (_ name: String) -> Bool) {
        for (name, value) in request.allHTTPHeaderFields ?? [:] where isSecret(name) { add(value, of: name) }
        if let url = request.url { add(url) }
    }

    /// Adds the user information of a URL.
    package mutating func add(_ url: URL) {
        let encoded = [url.user(percentEncoded: true), url.password(percentEncoded: true)]
        for text in [url.user, url.password] + encoded { add(text.map { Array($0.utf8) } ?? []) }
    }

    /// Adds the secrets in the value of a header field.
    package mutating func add(_ value: String, of name: String) {
        let value = Array(value.utf8)
        // Any body may contain a user's identifier or time zone, and a program may need them from there.
        let isIdentity = SecretWords.credentials.contains(name) && !SecretWords.proofs.contains(name)
        let name = name.lowercased()
        let isAuthorization = ["authorization", "proxy-authorization"].contains(name)
        add(value, isWord: isIdentity || !isAuthorization && Self.isWord(value))
        switch name {
        case "authorization", "proxy-authorization":
            // "Bearer secret"
            guard let space = value.firstIndex(of: 0x20) else { return }
            let credentials = Array(value[(space + 1)...].drop { $0 == 0x20 })
            add(credentials)
            // "Basic user:password", in Base64 (RFC 7617 §2).
            if let pair = Data(base64Encoded: Data(credentials)) {
                add(Array(pair))
                if let colon = pair.firstIndex(of: 0x3A) { add(Array(pair[(colon + 1)...])) }
            }
            // "Token token="secret"" (RFC 9110 §11.4)
            let parts = credentials.split(separator: 0x22, omittingEmptySubsequences: false)
            for index in stride(from: 1, to: parts.count - 1, by: 2) { add(Array(parts[index])) }
        case "cookie":
            // "name=secret; name=secret"
            for pair in value.split(separator: 0x3B) { addCookie(pair) }
        case "set-cookie":
            // "name=secret; Path=/"
            addCookie(value.prefix { $0 != 0x3B })
            // Some servers and proxies send several cookies in one field (RFC 6265 §3).
            for part in value.split(separator: 0x2C) { addCookie(part.prefix { $0 != 0x3B }) }
        default: break
        }
    }

    private mutating func addCookie(_ pair: ArraySlice<UInt8>) {
        guard let sign = pair.firstIndex(of: 0x3D) else { return }
        var value = Array(pair[(sign + 1)...])
        // Quotes are not part of the value for some servers (RFC 6265 §4.1.1).
        if value.count > 1, value.first == 0x22, value.last == 0x22 { value = Array(value.dropFirst().dropLast()) }
        let text = String(decoding: value, as: UTF8.self)
        let isAddress = (text.removingPercentEncoding ?? text).contains("://")
        add(value, isWord: isAddress || Self.isWord(value))
    }

    /// Whether a value may be a word in any text.
    private static func isWord(_ value: [UInt8]) -> Bool {
        value.count < shortestWord && !value.contains { 0x30...0x39 ~= $0 }
    }

    private mutating func add(_ text: [UInt8], isWord: Bool = false) {
        guard text.count >= SecretFinder.shortest else { return }
        var all = [text]
        // A head that is not UTF-8 is decoded as ISO 8859-1.
        if text.contains(where: { $0 >= 0x80 }) {
            let latin = String(decoding: text, as: UTF8.self).data(using: .isoLatin1)
            all += latin.map { [Array($0)] } ?? []
        }
        texts += all
        if text.count >= Self.shortestInBodies, !isWord { textsInBodies += all }
    }

    /// A finder of the texts in heads; short ones are left out, because they would match unrelated text.
    package var finder: SecretFinder { SecretFinder(texts) }

    /// A finder of the texts with at least ``shortestInBodies`` bytes in bodies, also in the usual spellings of JSON, URLs,
    /// forms and HTML; words, and values that only show who someone is, are left out.
    package var finderInBodies: SecretFinder {
        SecretFinder(textsInBodies + textsInBodies.flatMap { Self.spellings($0) })
    }

    /// Returns the other spellings of a text.
    private static func spellings(_ text: [UInt8]) -> [[UInt8]] {
        guard !text.allSatisfy(isPlain) else { return [] }
        let hexadecimal = { (byte: UInt8, isUpper: Bool) in
            Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16, uppercase: isUpper).utf8)
        }
        var spellings: [[UInt8]] = []
        for isUpper in [true, false] {
            let percent = { (byte: UInt8) in [0x25] + hexadecimal(byte, isUpper) }
            spellings.append(text.flatMap { isPlain($0) ? [$0] : percent($0) })
            // Paths keep the slash, and forms write a space as a plus sign.
            spellings.append(text.flatMap { isPlain($0) || $0 == 0x2F ? [$0] : percent($0) })
            spellings.append(text.flatMap { isPlain($0) ? [$0] : $0 == 0x20 ? [0x2B] : percent($0) })
            // JSON, with the optional escapes that some encoders use (RFC 8259 §7).
            spellings.append(
                text.flatMap { byte -> [UInt8] in
                    switch byte {
                    case 0x22, 0x26, 0x27, 0x2B, 0x3C, 0x3D, 0x3E: Array("\\u00".utf8) + hexadecimal(byte, isUpper)
                    case 0x5C: [0x5C, 0x5C]
                    default: [byte]
                    }
                }
            )
        }
        for escaped in [[0x22, 0x5C], [0x22, 0x2F, 0x5C]] as [[UInt8]] {
            spellings.append(text.flatMap { escaped.contains($0) ? [0x5C, $0] : [$0] })
        }
        // In HTML and XML.
        let entities: [UInt8: String] = [0x22: "&quot;", 0x26: "&amp;", 0x27: "&#39;", 0x3C: "&lt;", 0x3E: "&gt;"]
        spellings.append(text.flatMap { byte in entities[byte].map { Array($0.utf8) } ?? [byte] })
        // The decoded value, which a server may repeat.
        if let decoded = String(decoding: text, as: UTF8.self).removingPercentEncoding {
            spellings.append(Array(decoded.utf8))
        }
        return spellings.filter { $0.count >= shortestInBodies }
    }

    /// Whether no encoder escapes a byte (RFC 3986 §2.3).
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
