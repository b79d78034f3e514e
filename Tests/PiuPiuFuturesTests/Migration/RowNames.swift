import Foundation

/// The names in the first cell of a row, and the symbols that each of them covers.
///
/// A symbol is covered by a code span that has its name and all labels of its arguments. These forms are understood:
///
/// - **In full:** `DataDispatcher`, `URLRequest.setJSONBody(encodable:encoder:)`, `onMainQueue(_:)`, `>>>`. Outer types
///   may be missing (`Status.created`), and generic arguments may be written (`ResponseFuture<Success>`). A type whose
///   member is named is covered too.
/// - **An initialiser:** `URLRequestDispatcher(configuration:requestAdapter:responseAdapter:)`.
/// - **A member:** `.dataFuture(from:)`. It belongs to the nearest type that is named before it in the same cell, or else
///   in a row above of the same table, and that has such a member. `.created` after `ResponseFuture.Status` is a case of
///   that, and `.send()` in a later row a method of `ResponseFuture`. After a type in the same cell, the dot may be missing.
/// - **Members of types:** `pathValues(matching:)`, `pathMatches(pattern:)` of `URL` and `URLRequest`. What stands before
///   the word "of" belongs to each of the types behind it. A semicolon ends such a group.
/// - **Arguments alone:** `(childFutures:)` after `ResponseFuture(result:)` repeats the name before it.
/// - **A member of an instance** that is called like its type: `promise.fulfill(_:)`.
/// - **A call:** `.dataFuture(from: request)`, `onMainQueue(after: 1)(closure)`, `f >>> g`. Values of arguments do not
///   count, unless the list has the same labels twice.
/// - **A closure:** `.success { … }`, `.dataFuture() { … }`. It stands for the last argument; all other labels must be
///   there.
/// - **A function without parentheses:** `.cancel`, if its type has only one function of that name.
/// - **Everything of a type that is gone:** `Promise` and all its members. That counts only if the second cell says "none".
///
/// A span that is none of these, or for which the list has no symbol, covers nothing. Nothing is covered by part of a
/// name, by a pattern such as `setJSONBody…`, or by other columns than the first.
struct RowNames {
    /// The symbols that the cell names.
    private(set) var named: [SymbolName] = []
    /// These symbols, their types, and the members of types that are gone.
    private(set) var covered: [SymbolName] = []
    /// The spans that cover nothing.
    private(set) var unknown: [String] = []

    /// Reads the rows of a table.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - symbols: The symbols of the system.
    /// - Returns: The names of each row, in order.
    static func read(_ table: MarkdownTable, _ symbols: SymbolList) -> [RowNames] {
        var owners: [String] = []
        return table.rows.map { RowNames($0, symbols, &owners) }
    }

    private init(_ cells: [String], _ symbols: SymbolList, _ owners: inout [String]) {
        let cell = cells.first ?? ""
        let isGone = cells.count > 1 && cells[1].hasPrefix("none")
        let namesMembers = isGone && ["all its members", "all their members"].contains { cell.contains($0) }
        var last: SymbolName?
        var ownersInCell: [String] = []
        for group in Self.groups(of: cell) {
            for span in group.spans {
                guard var name = SymbolName(span) else {
                    unknown.append(span)
                    continue
                }
                if name.base.isEmpty, let last {
                    name.base = last.base
                    name.owner = last.owner
                    name.isMember = last.isMember
                }
                var found: [SymbolName]
                if group.owners.isEmpty {
                    found = symbols.named(name, owners)
                    if found.isEmpty { found = symbols.named(name.asMember, ownersInCell) }
                } else {
                    found = group.owners.flatMap { symbols.named(name.asMember, [$0]) }
                }
                if found.isEmpty || found.count < group.owners.count { unknown.append(span) }
                named += found
                covered += found + symbols.types(of: found)
                if namesMembers { covered += found.flatMap { symbols.members(of: $0) } }
                if let first = found.first {
                    // What follows may be a member of the type itself, or of the type around a member.
                    let types = [first.ownerPath, symbols.isType(first) ? first.description : ""].filter { !$0.isEmpty }
                    owners += types
                    ownersInCell += types
                }
                last = name
            }
        }
    }

    private struct Group {
        var spans: [String] = []
        var owners: [String] = []
    }

    /// The code spans between semicolons, and those behind the word "of".
    private static func groups(of cell: String) -> [Group] {
        var groups = [Group()]
        var isOwner = false
        for (index, piece) in cell.components(separatedBy: "`").enumerated() {
            if index.isMultiple(of: 2) {
                if piece.contains(";") {
                    groups.append(Group())
                    isOwner = false
                }
                if piece.split(whereSeparator: { !$0.isLetter }).contains("of") { isOwner = true }
            } else if isOwner {
                groups[groups.count - 1].owners.append(piece)
            } else {
                groups[groups.count - 1].spans.append(piece)
            }
        }
        return groups
    }
}
