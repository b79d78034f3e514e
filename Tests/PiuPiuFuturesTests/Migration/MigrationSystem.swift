import Foundation

/// A system whose users MIGRATION.md, or a page of its module, leads to PiuPiu 2.
enum MigrationSystem: String, CaseIterable, Sendable {
    case piuPiu1 = "PiuPiu-1.11.1"
    case piuPiuClassic = "PiuPiu-1.3"
    case networkKit = "NetworkKit"
    case futuristics = "Futuristics"

    /// The document with the tables.
    var document: String {
        switch self {
        case .piuPiu1: "MIGRATION.md"
        case .piuPiuClassic: "Sources/Legacy/PiuPiuClassic/PiuPiuClassic.docc/MovingFromPiuPiu13.md"
        case .networkKit: "Sources/Legacy/NetworkKit/NetworkKit.docc/MovingFromNetworkKit.md"
        case .futuristics: "Sources/Legacy/Futuristics/Futuristics.docc/MovingFromFuturistics.md"
        }
    }

    /// The heading of the section with the tables; `nil` if they are all tables of the document.
    private var heading: String? { self == .piuPiu1 ? "Every name" : nil }

    /// The public symbols of the system.
    var symbols: SymbolList {
        get throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Symbols")
            return SymbolList(try String(contentsOf: folder.appending(path: rawValue + ".txt"), encoding: .utf8))
        }
    }

    /// The tables; `nil` if there is no section for them.
    var tables: [MarkdownTable]? {
        get throws {
            let document = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
            return MarkdownTable.tables(of: document, below: heading)
        }
    }

    static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
    }
}
