import PiuPiuFutures
import Testing

/// MIGRATION.md has a row for every public symbol of the systems whose users it leads here.
struct MigrationTablesTests {
    @Test(arguments: MigrationSystem.allCases)
    func listsHaveNoFaults(system: MigrationSystem) throws {
        let list = try system.symbols
        #expect(list.faults == [])
        #expect(list.symbols.count > 25)
    }

    @Test(arguments: MigrationSystem.allCases)
    func everySymbolHasARow(system: MigrationSystem) throws {
        let list = try system.symbols
        let tables = try #require(try system.tables, "MIGRATION.md has no section “\(system.heading)”")
        for symbol in list.missing(in: tables) {
            Issue.record("No row of “\(system.heading)” names \(symbol) of \(system.rawValue)")
        }
    }

    /// A row for something that PiuPiu 1.11.1 never had is a mistake.
    @Test func everyNameIsASymbol() throws {
        let list = try MigrationSystem.piuPiu1.symbols
        for table in try #require(try MigrationSystem.piuPiu1.tables) where table.hasNames {
            for (row, names) in zip(table.rows, RowNames.read(table, list)) {
                #expect(names.unknown == [], "The row “\(row.first ?? "")” names what PiuPiu 1.11.1 does not have")
            }
        }
    }
}
