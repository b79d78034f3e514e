import Foundation

/// The code of LegacyCodeTests, which has a part for each row of a table with names.
///
/// A part begins with a comment that repeats the first cell of its row without backticks, on one line or several:
///
///     // Row: DataDispatcher, .dataFuture(from: request)
///
/// It ends at the next such comment.
struct RowCode {
    /// The lines of each part, by row.
    private(set) var parts: [String: String] = [:]
    /// The rows that more than one comment names.
    private(set) var repeated: [String] = []

    /// Reads the files of a folder.
    init(folder: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "swift" {
            read(try String(contentsOf: file, encoding: .utf8))
        }
    }

    init(_ text: String) {
        read(text)
    }

    private mutating func read(_ text: String) {
        var row: String?
        var isComment = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("// Row: ") {
                begin(&row, String(line.dropFirst("// Row: ".count)))
                isComment = true
            } else if isComment, line.hasPrefix("// "), let first = row {
                let rest = parts.removeValue(forKey: first) ?? ""
                begin(&row, first + " " + line.dropFirst("// ".count))
                if let row { parts[row, default: ""] += rest }
            } else if let row {
                isComment = false
                if !line.hasPrefix("//") { parts[row, default: ""] += line + "\n" }
            }
        }
    }

    private mutating func begin(_ row: inout String?, _ name: String) {
        if parts[name] != nil { repeated.append(name) }
        parts[name, default: ""] += ""
        row = name
    }

    /// The identifiers in the part of a row.
    func words(ofRow row: String) -> Set<String> {
        Set(Self.words(of: parts[row] ?? ""))
    }

    /// The identifiers in a text.
    static func words(of text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    }
}
