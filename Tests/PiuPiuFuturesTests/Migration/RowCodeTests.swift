import PiuPiuFutures
import Testing

/// The code of every row of MIGRATION.md is compiled, in the language mode of its users.
struct RowCodeTests {
    private struct Row {
        /// The first cell without backticks.
        let key: String
        /// What code for the row has to contain.
        let words: Set<String>
    }

    private let code: RowCode
    private let rows: [Row]
    /// What the second and third columns have in backticks, by row.
    private let newNames: [(key: String, words: Set<String>)]
    /// Rows that say that there is nothing to compile.
    private let rowsWithoutCode: [String]

    init() throws {
        let list = try MigrationSystem.piuPiu1.symbols
        let tables = try #require(try MigrationSystem.piuPiu1.tables)
        code = try RowCode(folder: MigrationSystem.root.appending(path: "Tests/LegacyCodeTests"))
        var rows: [Row] = []
        var rowsWithoutCode: [String] = []
        var newNames: [(key: String, words: Set<String>)] = []
        for table in tables {
            for (cells, names) in zip(table.rows, RowNames.read(table, list)) where cells.count == 3 {
                let key = cells[0].filter { $0 != "`" }
                if table.hasNames {
                    newNames.append(
                        (key, Set(cells[1...].flatMap { Self.spans(of: $0) }.flatMap { RowCode.words(of: $0) }))
                    )
                }
                if table.hasSpellings {
                    rows.append(Row(key: key, words: Set(Self.spans(of: cells[2]).flatMap { RowCode.words(of: $0) })))
                } else if table.hasNames, cells[0].contains("`") {
                    guard !cells[1].hasPrefix("none") else {
                        rowsWithoutCode.append(key)
                        continue
                    }
                    rows.append(Row(key: key, words: Self.words(cells[1], names)))
                }
            }
        }
        self.rows = rows
        self.newNames = newNames
        self.rowsWithoutCode = rowsWithoutCode
    }

    /// The old names with all labels if the row says "same", and otherwise the new names.
    private static func words(_ cell: String, _ names: RowNames) -> Set<String> {
        let names = cell.hasPrefix("same") ? names.named : spans(of: cell).compactMap { SymbolName($0) }
        return Set(names.flatMap(\.words))
    }

    private static func spans(of cell: String) -> [String] {
        cell.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    }

    @Test func everyRowHasCode() {
        #expect(rows.count > 110)
        for row in rows {
            #expect(code.parts[row.key] != nil, "Tests/LegacyCodeTests has no “// Row: \(row.key)”")
        }
    }

    @Test func allCodeHasARow() {
        #expect(code.repeated == [])
        let keys = rows.map(\.key) + rowsWithoutCode
        #expect(Set(keys).count == keys.count)
        for row in code.parts.keys {
            #expect(keys.contains(row), "MIGRATION.md has no row “\(row)”")
        }
    }

    @Test func codeUsesTheNamesOfItsRow() {
        for row in rows {
            let missing = row.words.subtracting(code.words(ofRow: row.key)).sorted()
            #expect(missing == [], "The code of “\(row.key)” does not use \(missing)")
        }
    }

    @Test func newNamesAreCompiledToo() throws {
        let file = MigrationSystem.root.appending(
            path: "Tests/PiuPiuFuturesTests/Documentation/MigrationNewNames.swift"
        )
        let compiled = Set(RowCode.words(of: try String(contentsOf: file, encoding: .utf8)))
        for (key, words) in newNames {
            let missing = words.subtracting(compiled).subtracting(code.words(ofRow: key)).sorted()
            #expect(missing == [], "No code uses \(missing), which the row “\(key)” has")
        }
    }

    @Test func rowsAreReadFromComments() {
        let code = RowCode(
            """
            // Row: a, b,
            // c
            one(two: 3)
            // four
            five()
            // Row: d
            six()
            // Row: d
            """
        )
        #expect(code.parts.keys.sorted() == ["a, b, c", "d"])
        #expect(code.words(ofRow: "a, b, c") == ["one", "two", "3", "five"])
        #expect(code.words(ofRow: "d") == ["six"])
        #expect(code.repeated == ["d"])
    }
}
