/// The texts of messages that must stay hidden if a server repeats them.
package struct SecretTexts {
    /// The length of the shortest text that is hidden in bodies, in bytes.
    ///
    /// Longer than ``SecretFinder/shortest``, because a body is data: the value of a cookie such as `theme=midnight`, or a
    /// password of eight letters, may be a word of it.
    package static let shortestInBodies = 12

    private var texts: [[UInt8]] = []

    /// Creates an empty list.
    package init() {}

    /// Adds the secrets of a request.
    ///
    /// - Parameters:
    ///   - request: The request, as sent.
    ///   - isSecret: Whether the field of a name has a secret.
    package mutating func add(_ request: URLRequest, isSecret: (_ name: String) -> Bool) {
        for (name, value) in request.allHTTPHeaderFields ?? [:] where isSecret(name) { add(value, of: name) }
        guard let url = request.url else { return }
        let encoded = [url.user(percentEncoded: true), url.password(percentEncoded: true)]
        for text in [url.user, url.password] + encoded { add(text.map { Array($0.utf8) } ?? []) }
    }

    /// Adds the secrets of the value of a header field.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The field's name.
    package mutating func add(_ value: String, of name: String) {
        let value = Array(value.utf8)
        add(value)
        switch name.lowercased() {
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
        case "cookie":
            // "name=secret; name=secret"
            for pair in value.split(separator: 0x3B) { addValue(of: pair) }
        case "set-cookie":
            // "name=secret; Path=/"
            addValue(of: value.prefix { $0 != 0x3B })
        default: break
        }
    }

    private mutating func addValue(of pair: ArraySlice<UInt8>) {
        if let sign = pair.firstIndex(of: 0x3D) { add(Array(pair[(sign + 1)...])) }
    }

    private mutating func add(_ text: [UInt8]) {
        guard text.count >= SecretFinder.shortest else { return }
        texts.append(text)
        // A head that is not UTF-8 is read as ISO 8859-1.
        if text.contains(where: { $0 >= 0x80 }) {
            let latin = String(decoding: text, as: UTF8.self).data(using: .isoLatin1)
            texts += latin.map { [Array($0)] } ?? []
        }
    }

    /// Finds the texts in heads; short ones are left out, because they would match unrelated text.
    package var finder: SecretFinder { SecretFinder(texts) }

    /// Finds the texts of at least ``shortestInBodies`` bytes in bodies, also as JSON and forms write them.
    package var finderInBodies: SecretFinder {
        let long = texts.filter { $0.count >= Self.shortestInBodies }
        return SecretFinder(long + long.flatMap { Self.escaped($0) })
    }

    /// The spellings of a text that has characters which JSON or URLs escape.
    private static func escaped(_ text: [UInt8]) -> [[UInt8]] {
        var spellings: [[UInt8]] = []
        if text.contains(where: { [0x22, 0x2F, 0x5C].contains($0) }) {
            // Not everyone escapes a slash (RFC 8259 §7).
            for escaped in [[0x22, 0x5C], [0x22, 0x2F, 0x5C]] as [[UInt8]] {
                spellings.append(text.flatMap { escaped.contains($0) ? [0x5C, $0] : [$0] })
            }
        }
        let encoded = String(decoding: text, as: UTF8.self)
            .addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~")))
        if let encoded, encoded.utf8.count > text.count { spellings.append(Array(encoded.utf8)) }
        return spellings
    }
}
