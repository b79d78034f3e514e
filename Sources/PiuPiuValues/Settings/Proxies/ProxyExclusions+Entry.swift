extension ProxyExclusions {
    /// An entry of a list.
    struct Entry: Sendable, Hashable {
        private enum Hosts: Sendable, Hashable {
            case all
            /// A name in lower case, and the names below it.
            case name([UInt8])
            /// Only the names below a name.
            case below([UInt8])
            case network(IPAddress, bits: Int)
        }

        private enum Scheme: String {
            case all, http, https
        }

        private var hosts: Hosts
        private var scheme: Scheme
        /// The port; `nil` for any.
        private var port: Int?

        /// Parses an entry without its surrounding separators.
        init?(_ word: Substring.UTF8View) {
            var rest = Array(word)[...]
            guard let scheme = Self.takeScheme(&rest) else { return nil }
            self.scheme = scheme
            if rest.contains(UInt8(ascii: "/")) {
                guard let network = Self.network(rest) else { return nil }
                hosts = network
                return
            }
            if let address = Self.address(rest) {
                hosts = .network(address, bits: address.bitWidth)
                return
            }
            guard let hosts = Self.takePort(&rest, &port).flatMap(Self.hosts) else { return nil }
            self.hosts = hosts
        }

        /// Whether the entry matches every server.
        var isForAll: Bool { hosts == .all && scheme == .all && port == nil }

        /// Whether the entry matches a scheme and a port; `nil` is unknown.
        func isFor(_ isSecure: Bool?, _ port: Int?) -> Bool {
            let hasScheme =
                switch scheme {
                case .all: true
                case .http: isSecure == false
                case .https: isSecure == true
                }
            return hasScheme && (self.port == nil || self.port == port)
        }

        /// Whether the entry matches an address.
        func covers(_ address: IPAddress) -> Bool {
            switch hosts {
            case .all: true
            case .network(let network, let bits): address.matches(network, bits: bits)
            case .name, .below: false
            }
        }

        /// Whether the entry matches a name in lower case.
        func covers(_ host: [UInt8]) -> Bool {
            switch hosts {
            case .all: !host.isEmpty
            case .name(let name): host == name || Self.isBelow(host, name)
            case .below(let name): Self.isBelow(host, name)
            case .network: false
            }
        }

        private static func isBelow(_ host: [UInt8], _ name: [UInt8]) -> Bool {
            host.count > name.count && host.suffix(name.count).elementsEqual(name)
                && host[host.count - name.count - 1] == UInt8(ascii: ".")
        }

        // MARK: Reading

        /// Removes a scheme, and the slash that ends a URL; returns `nil` if the scheme is unknown.
        private static func takeScheme(_ rest: inout ArraySlice<UInt8>) -> Scheme? {
            guard let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest[colon...].starts(with: Array("://".utf8))
            else {
                return .all
            }
            let name = String(decoding: rest[..<colon].map(\.asciiLowercased), as: UTF8.self)
            rest = rest[colon...].dropFirst(3)
            if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
            return Scheme(rawValue: name)
        }

        /// Parses an address with a prefix length.
        private static func network(_ text: ArraySlice<UInt8>) -> Hosts? {
            guard let slash = text.firstIndex(of: UInt8(ascii: "/")), let address = address(text[..<slash]),
                let bits = number(text[text.index(after: slash)...]), bits <= address.bitWidth
            else { return nil }
            return .network(address, bits: bits == 0 ? address.bitWidth : bits)
        }

        private static func address(_ text: ArraySlice<UInt8>) -> IPAddress? {
            let bare = text.first == UInt8(ascii: "[") && text.last == UInt8(ascii: "]")
            let digits = bare ? text.dropFirst().dropLast() : text
            return digits.count <= 45 ? IPAddress(String(decoding: digits, as: UTF8.self)) : nil
        }

        /// Removes the port and returns the host; `nil` if the text after the host is not a port.
        private static func takePort(_ text: inout ArraySlice<UInt8>, _ port: inout Int?) -> ArraySlice<UInt8>? {
            // Within brackets, a colon belongs to the address.
            let start = text.first == UInt8(ascii: "[") ? text.firstIndex(of: UInt8(ascii: "]")) : text.startIndex
            guard let start else { return nil }
            guard let colon = text[start...].firstIndex(of: UInt8(ascii: ":")) else { return text }
            let digits = text[text.index(after: colon)...]
            // Go accepts an empty port as any port.
            if !digits.isEmpty {
                guard let number = number(digits), (1...65_535).contains(number) else { return nil }
                port = number
            }
            return text[..<colon]
        }

        private static func hosts(_ text: ArraySlice<UInt8>) -> Hosts? {
            if text.elementsEqual([UInt8(ascii: "*")]) { return .all }
            if let address = address(text) { return .network(address, bits: address.bitWidth) }
            var name = text
            let isBelow = name.starts(with: Array("*.".utf8))
            name = isBelow ? name.dropFirst(2) : name.first == UInt8(ascii: ".") ? name.dropFirst() : name
            if name.last == UInt8(ascii: ".") { name = name.dropLast() }
            guard isName(name) else { return nil }
            let lowercased = name.map(\.asciiLowercased)
            return isBelow ? .below(lowercased) : .name(lowercased)
        }

        /// Whether a host in a URL can have this name.
        ///
        /// A host that ends in a number would be an address.
        private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
            let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard let last = labels.last, !last.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
            return labels.allSatisfy { label in
                !label.isEmpty
                    && label.allSatisfy { byte in
                        (0x61...0x7A).contains(byte.asciiLowercased) || (0x30...0x39).contains(byte)
                            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                    }
            }
        }

        private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
            guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
    }
}
