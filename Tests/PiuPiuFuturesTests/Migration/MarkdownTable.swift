import Foundation

/// A table of a Markdown document.
struct MarkdownTable {
    var header: [String]
    var rows: [[String]]

    /// Whether the first column has names of PiuPiu 1.
    var hasNames: Bool { header == ["PiuPiu 1", "PiuPiuFutures", "PiuPiuAsync"] }
    /// Whether the last column has the new form of code that the compiler no longer accepts.
    var hasSpellings: Bool { header == ["PiuPiu 1", "The compiler says", "Now"] }

    /// The tables below a heading of the second level that begins with certain words, in order; of the whole document
    /// without one.
    ///
    /// - Returns: `nil` if there is no such heading.
    static func tables(of document: String, below heading: String?) -> [MarkdownTable]? {
        var isInside = heading == nil
        var isFound = heading == nil
        var isFenced = false
        var tables: [MarkdownTable] = []
        var isTable = false
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isFenced.toggle() }
            if let heading, !isFenced, line.hasPrefix("## ") || line.hasPrefix("# ") {
                let rest = line.dropFirst(heading.count + 3)
                isInside = line.hasPrefix("## " + heading) && rest.first?.isLetter != true
                isFound = isFound || isInside
            }
            guard isInside, !isFenced, line.hasPrefix("|") else {
                isTable = false
                continue
            }
            let cells = cells(of: line)
            if !isTable {
                tables.append(MarkdownTable(header: cells, rows: []))
                isTable = true
            } else if !cells.allSatisfy({ $0.allSatisfy { "-: ".contains($0) } }) {
                tables[tables.count - 1].rows.append(cells)
            }
        }
        return isFound ? tables : nil
    }

    /// The cells of a line; `\|` is a bar inside of one.
    private static func cells(of line: Substring) -> [String] {
        var cells = [""]
        var isEscaped = false
        for character in line.dropFirst() {
            if character == "|", !isEscaped {
                cells.append("")
            } else {
                if character == "|" { cells[cells.count - 1].removeLast() }
                cells[cells.count - 1].append(character)
            }
            isEscaped = character == "\\"
        }
        if cells.last?.allSatisfy({ $0 == " " }) == true { cells.removeLast() }
        return cells.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
