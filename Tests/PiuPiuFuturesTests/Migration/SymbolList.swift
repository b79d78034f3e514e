import Foundation

/// The public symbols of a legacy system.
struct SymbolList {
    let symbols: [SymbolName]
    /// Lines that are not names, or stand twice.
    let faults: [String]
    private let types: Set<String>

    /// Reads a list: a symbol on each line, and comments after `#`.
    init(_ text: String) {
        var symbols: [SymbolName] = []
        var faults: [String] = []
        var seen: Set<String> = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard let name = SymbolName(line), !name.base.isEmpty, !name.isMember, seen.insert(line).inserted else {
                faults.append(line)
                continue
            }
            symbols.append(name)
        }
        self.symbols = symbols
        self.faults = faults
        types = Set(symbols.map(\.ownerPath)).union(
            symbols.filter { $0.arguments == nil && $0.base.first?.isUppercase == true }.map(\.description)
        )
    }

    /// Whether the symbol is a type, or may be one.
    func isType(_ symbol: SymbolName) -> Bool {
        types.contains(symbol.description)
    }

    /// The symbols inside a type, at any depth.
    func members(of type: SymbolName) -> [SymbolName] {
        symbols.filter { $0.description.hasPrefix(type.description + ".") }
    }

    /// The symbols that no row of the tables names.
    func missing(in tables: [MarkdownTable]) -> [SymbolName] {
        let covered = Set(tables.flatMap { RowNames.read($0, self) }.flatMap(\.covered))
        return symbols.filter { !covered.contains($0) }
    }

    /// The symbols that a name covers.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - owners: The types whose member it may be, if it is one; the last one is the nearest.
    /// - Returns: The symbols; usually one.
    func named(_ name: SymbolName, _ owners: [String]) -> [SymbolName] {
        if !name.isMember {
            let found = matching(name) { Self.isSuffix(name.owner, of: $0.owner, orEqual: name.owner.isEmpty) }
            if !found.isEmpty { return found }
            // `promise.fulfill(_:)` for a method of `Promise`.
            if let first = name.owner.first, name.owner.count == 1, first.first?.isLowercase == true {
                return matching(name) { $0.ownerPath == first.prefix(1).uppercased() + first.dropFirst() }
            }
            // `Type(label:)` is an initializer.
            if name.arguments != nil {
                var initializer = name
                initializer.owner.append(name.base)
                initializer.base = "init"
                return matching(initializer) { Self.isSuffix(initializer.owner, of: $0.owner, orEqual: false) }
            }
            return []
        }
        for owner in owners.reversed() {
            let inside = name.owner.isEmpty ? owner : owner + "." + name.ownerPath
            let found = matching(name) { $0.ownerPath == inside }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// The types whose members are given.
    func types(of members: [SymbolName]) -> [SymbolName] {
        symbols.filter { symbol in members.contains { $0.ownerPath == symbol.description } }
    }

    private func matching(_ name: SymbolName, _ isInside: (SymbolName) -> Bool) -> [SymbolName] {
        let candidates = symbols.filter { isInside($0) }
        let found = candidates.filter { $0.isCovered(by: name) }
        let exact = found.filter(\.hasValues)
        if !exact.isEmpty { return exact }
        if !found.isEmpty { return found }
        // A function without its parentheses is clear if it is the only one of that name.
        guard name.arguments == nil, !name.hasTrailingClosure else { return [] }
        let functions = candidates.filter { $0.base == name.base && $0.arguments != nil }
        return functions.count == 1 ? functions : []
    }

    /// Whether an owner ends with the types that were written.
    private static func isSuffix(_ written: [String], of owner: [String], orEqual isEqual: Bool) -> Bool {
        guard !isEqual else { return owner == written }
        guard written.count <= owner.count else { return false }
        return zip(written.reversed(), owner.reversed()).allSatisfy { written, owner in
            written == owner || SymbolName.withoutGenerics(written) == owner
        }
    }
}
