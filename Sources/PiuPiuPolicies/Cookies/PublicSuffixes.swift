/// The suffixes under which anyone can register a name, such as `com`, `co.uk` and `github.io`.
///
/// No cookie may apply to all names under a suffix: otherwise, the owner of one name could set cookies for all others. The
/// table is a text in the binary, which is searched in place: only the positions of its groups are allocated.
enum PublicSuffixes {
    /// Returns how many labels at the end of a host are a public suffix (https://publicsuffix.org/list/); 1 if no rule matches.
    ///
    /// The labels are in lower case, in Punycode, and in reverse order.
    private static func length(of labels: [Substring.UTF8View]) -> Int {
        var best = min(1, labels.count)
        var parent: [UInt8] = []
        for (index, label) in labels.enumerated() {
            guard index < deepest else { break }
            if let children = children(of: parent) {
                // The suffix of an exception is its parent.
                if contains(label, in: children, isException: true) { return index }
                if contains(label, in: children) || contains("*"[...].utf8, in: children) { best = index + 1 }
            }
            parent = parent.isEmpty ? Array(label) : label + [0x2E] + parent
        }
        return best
    }

    /// The maximum number of labels of a rule, which the script that creates the table ensures.
    private static let deepest = 8

    /// Returns whether a host, in lower case and optionally with a dot at its end, is a public suffix.
    static func contains(_ host: String) -> Bool {
        let labels = labels(of: host)
        return length(of: labels) == labels.count
    }

    /// Returns the registrable domain of a host in lower case: its public suffix and one more label.
    ///
    /// The result is `nil` if the host is itself a public suffix, or has an empty label.
    static func registrableDomain(of host: String) -> String? {
        let labels = labels(of: host)
        let count = length(of: labels) + 1
        guard count <= labels.count, !labels.contains(where: \.isEmpty) else { return nil }
        return labels.prefix(count).reversed().map { String(Substring($0)) }.joined(separator: ".")
    }

    /// Returns whether a host may set cookies for a domain that it belongs to: its registrable domain, or a subdomain of that.
    ///
    /// A higher domain also belongs to others: `amazonaws.com` is not a public suffix, but that of `a.s3.amazonaws.com` is
    /// `s3.amazonaws.com`, so that `b.s3.amazonaws.com` has another owner.
    ///
    /// - Parameters:
    ///   - domain: The domain: the host, or its end from the start of a label.
    ///   - host: The host in lower case.
    /// - Returns: `false` for a domain shared with others, and for every domain above a public suffix.
    static func allows(_ domain: String, from host: String) -> Bool {
        // Both are suffixes of the host, so the longer one is the more specific one.
        registrableDomain(of: host).map { $0.utf8.count <= domain.utf8.count } ?? false
    }

    private static func labels(of host: String) -> [Substring.UTF8View] {
        let name = host.utf8.last == 0x2E ? host.utf8.dropLast() : host.utf8[...]
        return name.split(separator: 0x2E, omittingEmptySubsequences: false).reversed()
    }

    // MARK: The table

    /// The start of each group of the table, and the end of the last one.
    private static let groups: [Int] = {
        let bytes = text
        return [0] + bytes.indices.filter { bytes[$0] == 0x3B }.map { $0 + 1 }
    }()

    private static var text: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)
    }

    /// Returns the labels before a parent in the rules; `nil` if there are none.
    private static func children(of parent: [UInt8]) -> Slice<UnsafeBufferPointer<UInt8>>? {
        let (bytes, groups) = (text, groups)
        var (low, high) = (0, groups.count - 1)
        while low < high {
            let middle = (low + high) / 2
            let group = bytes[groups[middle]..<(groups[middle + 1] - 1)]
            guard let colon = group.firstIndex(of: 0x3A) else { return nil }
            let name = group[..<colon]
            if name.elementsEqual(parent) { return group[(colon + 1)...] }
            if name.lexicographicallyPrecedes(parent) { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Returns whether a group of the table, whose labels are sorted, contains a label.
    private static func contains(
        _ label: Substring.UTF8View,
        in children: Slice<UnsafeBufferPointer<UInt8>>,
        isException: Bool = false
    ) -> Bool {
        guard !label.isEmpty else { return false }
        let wanted = isException ? [0x21] + label : Array(label)
        var (low, high) = (children.startIndex, children.endIndex)
        while low < high {
            var start = (low + high) / 2
            while start > low, children[start - 1] != 0x20 { start -= 1 }
            let end = children[start..<high].firstIndex(of: 0x20) ?? high
            let child = children[start..<end]
            if child.elementsEqual(wanted) { return true }
            if child.lexicographicallyPrecedes(wanted) { low = end + 1 } else { high = max(low, start - 1) }
        }
        return false
    }
}
