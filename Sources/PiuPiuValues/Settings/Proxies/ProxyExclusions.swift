/// The servers that requests reach without a proxy, as in `no_proxy`.
///
/// ```swift
/// let exclusions: ProxyExclusions = "localhost,.internal.example,10.0.0.0/8,fd00::/8"
/// ```
///
/// There is no standard for such lists. The parser accepts all forms that curl, Go or httpx accept; if they contradict each
/// other, it follows curl since 7.86 (`lib/noproxy.c`):
/// - Commas, blanks or both separate entries.
/// - A name, with or without a leading dot, matches itself and all names below it. With a leading `*.`, it matches
///   only the names below it. Case and a trailing dot do not matter.
/// - An address matches itself; with a prefix length, it matches a network: `192.168.0.0/16`. `/0` matches only the address
///   itself. IPv6 addresses may be in brackets. Names are not resolved, so a network does not match them.
/// - A name or an address may have a port, as in `db.example:5432` and `[::1]:8080`, and then matches only that port.
/// - An entry may start with `http://`, `https://` or `all://`, and then matches only URLs of that scheme.
/// - `*` matches every server.
///
/// All other entries match no server, and are listed in ``ignoredEntries``.
public struct ProxyExclusions: Sendable, Hashable {
    private let entries: [Entry]
    private let hasAll: Bool
    /// The entries that match no server, because they have none of the known forms; without user information.
    public let ignoredEntries: [String]

    /// Creates exclusions from a list as in `no_proxy`.
    ///
    /// - Parameter list: The list; unknown entries have no effect, and are in ``ignoredEntries``.
    public init(_ list: String = "") {
        var entries: [Entry] = []
        var ignored: [String] = []
        var hasAll = false
        for word in list.utf8.split(whereSeparator: Self.isSeparator) {
            guard let entry = Entry(word) else {
                ignored.append(Self.shown(word))
                continue
            }
            if entry.isForAll { hasAll = true } else { entries.append(entry) }
        }
        self.entries = entries
        self.hasAll = hasAll
        ignoredEntries = ignored
    }

    /// Returns whether requests reach a server without a proxy, regardless of the scheme and the port.
    ///
    /// - Parameter host: The server's name or address, as it appears in the URL.
    /// - Returns: `true` if an entry without a scheme and a port matches it.
    public func contains(_ host: String) -> Bool { contains(host, isSecure: nil, port: nil) }

    /// Returns whether requests for a URL use no proxy.
    ///
    /// - Parameter url: An `http` or `https` URL.
    /// - Returns: `true` if an entry matches its server, its port and its scheme.
    public func contains(_ url: URL) -> Bool {
        guard let target = try? RequestTarget(url) else { return false }
        return contains(target)
    }

    /// Returns whether a request reaches its server without a proxy.
    package func contains(_ target: RequestTarget) -> Bool {
        if hasAll { return true }
        guard !entries.isEmpty else { return false }
        return contains(target.usualHost, isSecure: target.isSecure, port: target.port)
    }

    private func contains(_ host: String, isSecure: Bool?, port: Int?) -> Bool {
        if hasAll { return !host.isEmpty }
        guard !entries.isEmpty else { return false }
        var name = Array(host.utf8)[...]
        if name.first == UInt8(ascii: "["), name.last == UInt8(ascii: "]") { name = name.dropFirst().dropLast() }
        // The zone of an IPv6 address is not part of the network.
        name = name.prefix { $0 != UInt8(ascii: "%") }
        if let address = IPAddress(String(decoding: name, as: UTF8.self)) {
            return entries.contains { $0.isFor(isSecure, port) && $0.covers(address) }
        }
        if name.last == UInt8(ascii: ".") { name = name.dropLast() }
        let lowercased = name.map(\.asciiLowercased)
        return entries.contains { $0.isFor(isSecure, port) && $0.covers(lowercased) }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }

    /// Removes user information: an entry that is not understood may be a URL with a password.
    private static func shown(_ word: Substring.UTF8View) -> String {
        let rest = word.lastIndex(of: UInt8(ascii: "@")).map { word[word.index(after: $0)...] }
        return (rest == nil ? "" : "<redacted>@") + String(decoding: rest ?? word, as: UTF8.self)
    }
}

extension ProxyExclusions: ExpressibleByStringLiteral {
    /// Creates exclusions from a literal list as in `no_proxy`.
    ///
    /// - Parameter value: The list.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}
