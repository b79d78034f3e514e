import Foundation

/// Looks for one planted secret in everything that a program can make a value show.
public enum SecretSearch {
    /// The secret to plant.
    public static let secret = "pl4nted-S3cret"

    /// Text that a value gave, and how.
    public struct Showing: Sendable {
        /// How the text was got, such as `dump`.
        public let way: String
        /// The text.
        public let text: String

        /// Whether the secret is in the text, as it is or encoded.
        public var tells: Bool { SecretSearch.isFound(in: text) }
    }

    /// Everything that a value shows.
    ///
    /// - Parameter value: The value.
    /// - Returns: A text for each way that there is to show the value.
    public static func showings(of value: Any) -> [Showing] {
        var dumped = ""
        dump(value, to: &dumped)
        var walk = MirrorWalk()
        walk.visit(value)
        var showings = [
            Showing(way: "String(describing:)", text: String(describing: value)),
            Showing(way: "String(reflecting:)", text: String(reflecting: value)),
            Showing(way: "in a collection", text: "\([value])"),
            Showing(way: "dump", text: dumped),
            Showing(way: "Mirror", text: walk.text),
        ]
        if let value = value as? any CustomStringConvertible {
            showings.append(Showing(way: "description", text: value.description))
        }
        if let value = value as? any CustomDebugStringConvertible {
            showings.append(Showing(way: "debugDescription", text: value.debugDescription))
        }
        if let error = value as? any Error {
            let bridged = error as NSError
            showings.append(Showing(way: "localizedDescription", text: error.localizedDescription))
            showings.append(Showing(way: "NSError", text: "\(bridged)\n\(bridged.debugDescription)"))
            showings.append(Showing(way: "userInfo", text: "\(bridged.userInfo)"))
        }
        return showings
    }

    /// Whether the secret is in a text, as it is, percent-encoded, or in Base64, hexadecimal digits or decimal bytes.
    ///
    /// - Parameter text: The text.
    /// - Returns: `true` if it is there.
    public static func isFound(in text: String) -> Bool {
        needles.contains { text.contains($0) }
    }

    /// Whether bytes are in a text, as they are, percent-encoded, or in Base64, hexadecimal digits or decimal bytes.
    ///
    /// - Parameters:
    ///   - secret: The bytes, at least a few.
    ///   - text: The text.
    /// - Returns: `true` if they are there.
    public static func isFound(_ secret: some Collection<UInt8>, in text: String) -> Bool {
        needles(for: Array(secret)).contains { text.contains($0) }
    }

    private static let needles = needles(for: Array(secret.utf8))

    private static func needles(for bytes: [UInt8]) -> [String] {
        // The secret may begin at any of the three places in a group of Base64; what surrounds it changes the ends.
        var needles = (0..<3).map { offset in
            let inner = bytes.dropFirst((3 - offset) % 3)
            return Data(inner.prefix(inner.count / 3 * 3)).base64EncodedString()
        }
        let pairs = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        needles += [pairs.joined(), pairs.joined().uppercased(), bytes.map { String($0) }.joined(separator: ", ")]
        needles += [pairs, pairs.map { $0.uppercased() }].map { "%" + $0.joined(separator: "%") }
        if let text = String(bytes: bytes, encoding: .utf8) {
            let unreserved = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
            needles += [text] + [text.addingPercentEncoding(withAllowedCharacters: unreserved)].compactMap { $0 }
        }
        return needles
    }
}

/// Collects the texts and bytes that a mirror reaches.
private struct MirrorWalk {
    private(set) var text = ""
    private var seen: Set<ObjectIdentifier> = []
    private var count = 0

    mutating func visit(_ value: Any, depth: Int = 0) {
        count += 1
        guard depth < 24, count < 20_000 else { return }
        switch value {
        case let string as String: text += string + "\n"
        case let string as Substring: text += string + "\n"
        case let data as Data: text += String(decoding: data, as: UTF8.self) + "\n"
        case let bytes as [UInt8]: text += String(decoding: bytes, as: UTF8.self) + "\n"
        case let url as URL: text += url.absoluteString + "\n"
        default: visitChildren(of: value, depth)
        }
    }

    private mutating func visitChildren(of value: Any, _ depth: Int) {
        var mirror: Mirror? = Mirror(reflecting: value)
        if mirror?.displayStyle == .class, !seen.insert(ObjectIdentifier(value as AnyObject)).inserted { return }
        while let current = mirror {
            for child in current.children {
                if let label = child.label { text += label + "\n" }
                visit(child.value, depth: depth + 1)
            }
            mirror = current.superclassMirror
        }
    }
}
