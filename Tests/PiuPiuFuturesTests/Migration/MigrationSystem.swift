import Foundation

/// A system whose users MIGRATION.md leads to PiuPiu 2.
enum MigrationSystem: String, CaseIterable, Sendable {
    case piuPiu1 = "PiuPiu-1.11.1"
    case piuPiuClassic = "PiuPiu-1.3"
    case networkKit = "NetworkKit"
    case futuristics = "Futuristics"

    /// The heading of the section with the tables.
    var heading: String {
        switch self {
        case .piuPiu1: "Every name"
        case .piuPiuClassic: "PiuPiu 1.3"
        case .networkKit: "NetworkKit 4.2"
        case .futuristics: "Futuristics 0.2"
        }
    }

    /// The public symbols of the system.
    var symbols: SymbolList {
        get throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Symbols")
            return SymbolList(try String(contentsOf: folder.appending(path: rawValue + ".txt"), encoding: .utf8))
        }
    }

    /// The tables of the section; `nil` if there is no section.
    var tables: [MarkdownTable]? {
        get throws {
            let document = try String(contentsOf: Self.root.appending(path: "MIGRATION.md"), encoding: .utf8)
            return MarkdownTable.tables(of: document, below: heading)
        }
    }

    static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
    }
}
