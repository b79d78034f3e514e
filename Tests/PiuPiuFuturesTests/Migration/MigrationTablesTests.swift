import PiuPiuFutures
import Testing

/// There is a row for every public symbol of the older systems.
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
        let tables = try #require(try system.tables, "\(system.document) has no section of names")
        for symbol in list.missing(in: tables) {
            Issue.record("No row of \(system.document) names \(symbol) of \(system.rawValue)")
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
