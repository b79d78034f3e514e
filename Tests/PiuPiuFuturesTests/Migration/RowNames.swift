import Foundation

/// The names in the first cell of a row, and the symbols that each of them covers.
///
/// A symbol is covered by a code span that has its name and all labels of its arguments. These forms are understood:
///
/// - **In full:** `DataDispatcher`, `URLRequest.setJSONBody(encodable:encoder:)`, `onMainQueue(_:)`, `>>>`. Outer types
///   may be missing (`Status.created`), and so may generic arguments or additional ones be written
///   (`ResponseFuture<Success>`).
/// - **A member:** `.dataFuture(from:)`. It belongs to the nearest type that is named before it in the same cell, or else in a
///   row above of the same table, and that has such a member. `.created` after `ResponseFuture.Status` is a case of
///   that, and `.send()` in a later row a method of `ResponseFuture`.
/// - **Members of types:** `pathValues(matching:)`, `pathMatches(pattern:)` of `URL` and `URLRequest`. What stands before the
///   word "of" belongs to each of the types behind it. A semicolon ends such a group.
/// - **An initialiser:** `URLRequestDispatcher(configuration:requestAdapter:responseAdapter:)`, which covers the type too.
/// - **Arguments alone:** `(childFutures:)` after `ResponseFuture(result:)` repeats the name before it.
/// - **A call:** `.dataFuture(from: request)`; values of arguments do not count, unless the list has the same labels twice.
/// - **A closure:** `.success { … }`, `.dataFuture() { … }`; it stands for the last argument. All other labels must be
///   there.
/// - **A function without parentheses:** `.cancel`, if its type has only one function of that name.
///
/// A span that is none of these, or for which the list has no symbol, covers nothing. Nothing is covered by part of a
/// name, by a pattern such as `setJSONBody…`, or by other columns than the first.
struct RowNames {
    /// The symbols that the cell covers.
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
        return table.rows.map { RowNames(cell: $0.first ?? "", symbols, &owners) }
    }

    private init(cell: String, _ symbols: SymbolList, _ owners: inout [String]) {
        var last: SymbolName?
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
                let found: [SymbolName]
                if group.owners.isEmpty {
                    found = symbols.named(name, owners)
                } else {
                    name.isMember = true
                    found = group.owners.flatMap { symbols.named(name, [$0]) }
                }
                if found.isEmpty || found.count < group.owners.count { unknown.append(span) }
                covered += found
                if let first = found.first {
                    // What follows may be a member of the type itself, or of the type around a member.
                    owners += [first.ownerPath, symbols.isType(first) ? first.description : ""].filter { !$0.isEmpty }
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
