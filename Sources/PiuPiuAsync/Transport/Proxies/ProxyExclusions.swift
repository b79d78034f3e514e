/// The servers that are reached without a proxy, as in `no_proxy`.
///
/// ```swift
/// let exclusions: ProxyExclusions = "localhost,.internal.example,10.0.0.0/8,fd00::/8"
/// ```
///
/// The rules are those of curl since 7.86 (`lib/noproxy.c`), whatever the version of libcurl:
/// - Entries are separated by commas, with or without blanks. A blank without a comma ends the list.
/// - A name, with or without a leading dot, stands for itself and for all names below it. Case and a dot at the end do not
///   matter.
/// - An address stands for itself, and with the number of a prefix's bits for a network: `192.168.0.0/16`. `/0` stands
///   for the address itself. IPv6 addresses may be in brackets. Names are not resolved, so a network says nothing about
///   them.
/// - `*` alone stands for every server. Ports cannot be told apart.
public struct ProxyExclusions: Sendable, Hashable {
    fileprivate struct Entry: Sendable, Hashable {
        /// The entry in lower case, without the dots around it.
        var name: [UInt8]
        var network: IPAddress?
        var bits: Int
    }

    private let entries: [Entry]
    private let hasAll: Bool

    /// Creates exclusions from a list as in `no_proxy`.
    ///
    /// - Parameter list: The list; what is neither a name nor an address has no effect.
    public init(_ list: String = "") {
        hasAll = list == "*"
        entries = Self.words(of: Array(list.utf8)).map { Entry($0) }
    }

    /// Returns whether a server is reached without a proxy.
    ///
    /// - Parameter host: The server's name or address, as it stands in the URL.
    /// - Returns: `true` if an entry stands for it.
    public func contains(_ host: String) -> Bool {
        if hasAll { return !host.isEmpty }
        guard !entries.isEmpty else { return false }
        var name = Array(host.utf8)[...]
        if name.first == UInt8(ascii: "["), name.last == UInt8(ascii: "]") { name = name.dropFirst().dropLast() }
        // The zone of an IPv6 address says nothing about the network.
        name = name.prefix { $0 != UInt8(ascii: "%") }
        if let address = IPAddress(String(decoding: name, as: UTF8.self)) {
            return entries.contains { entry in
                entry.network.map { address.matches($0, bits: entry.bits) } ?? false
            }
        }
        if name.last == UInt8(ascii: ".") { name = name.dropLast() }
        let lowercased = name.map(\.asciiLowercased)
        return entries.contains { $0.covers(lowercased) }
    }

    /// Splits a list, up to the first blank that no comma follows.
    private static func words(of list: [UInt8]) -> [ArraySlice<UInt8>] {
        var words: [ArraySlice<UInt8>] = []
        var rest = list[...]
        while !rest.isEmpty {
            rest = rest.drop { $0.isHTTPWhitespace }
            let word = rest.prefix { !$0.isHTTPWhitespace && $0 != UInt8(ascii: ",") }
            if !word.isEmpty { words.append(word) }
            rest = rest[word.endIndex...].drop { $0.isHTTPWhitespace }
            guard rest.first == UInt8(ascii: ",") else { break }
            rest = rest.drop { $0 == UInt8(ascii: ",") }
        }
        return words
    }
}

extension ProxyExclusions.Entry {
    fileprivate init(_ word: ArraySlice<UInt8>) {
        var name = word
        if name.last == UInt8(ascii: ".") { name = name.dropLast() }
        if name.first == UInt8(ascii: ".") { name = name.dropFirst() }
        self.name = name.map(\.asciiLowercased)
        let slash = word.firstIndex(of: UInt8(ascii: "/"))
        var address = word[..<(slash ?? word.endIndex)]
        if address.first == UInt8(ascii: "["), address.last == UInt8(ascii: "]") {
            address = address.dropFirst().dropLast()
        }
        network = address.count <= 45 ? IPAddress(String(decoding: address, as: UTF8.self)) : nil
        let width = network?.bitWidth ?? 0
        bits = width
        guard let slash else { return }
        guard let number = Self.number(word[word.index(after: slash)...]), number <= width else {
            network = nil
            return
        }
        bits = number == 0 ? width : number
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Whether a name, in lower case, is that of the entry or below it.
    fileprivate func covers(_ host: [UInt8]) -> Bool {
        guard !name.isEmpty, host.count >= name.count, host.suffix(name.count).elementsEqual(name) else { return false }
        return host.count == name.count || host[host.count - name.count - 1] == UInt8(ascii: ".")
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
