/// An option of the command line: its names, its line in the help, and what it does.
struct Option: Sendable {
    enum Group: String, CaseIterable {
        case output = "Output"
        case request = "Request"
        case transfer = "Transfer"
        case webSocket = "WebSocket"
        case connection = "Connection"
        case other = "Other"
    }

    let short: Character?
    let long: String
    /// What its value is called in the help; `nil` if it takes none.
    let value: String?
    let group: Group
    let help: String
    /// Whether its value may be empty.
    var allowsEmpty = false
    /// Changes the arguments; throws ``Arguments/Mistake`` if the value makes no sense.
    let apply: @Sendable (_ arguments: inout Arguments, _ value: String) throws -> Void

    /// An option without a value.
    static func flag(
        _ group: Group,
        _ short: Character?,
        _ long: String,
        _ help: String,
        _ change: @escaping @Sendable (inout Arguments) -> Void
    ) -> Option {
        Option(short: short, long: long, value: nil, group: group, help: help) { arguments, _ in change(&arguments) }
    }

    /// An option with a value.
    static func value(
        _ group: Group,
        _ short: Character?,
        _ long: String,
        _ value: String,
        _ help: String,
        _ change: @escaping @Sendable (inout Arguments, String) throws -> Void
    ) -> Option {
        Option(short: short, long: long, value: value, group: group, help: help, apply: change)
    }

    /// The same option, whose value may be empty.
    var emptyable: Option {
        var option = self
        option.allowsEmpty = true
        return option
    }

    /// All options, in the order of the help.
    static let all =
        outputOptions + requestOptions + transferOptions + webSocketOptions + connectionOptions + otherOptions

    /// Finds an option.
    ///
    /// - Parameter name: Its long name, without the dashes.
    /// - Returns: The option; `nil` if there is none of that name.
    static func named(_ name: String) -> Option? { all.first { $0.long == name } }

    /// Finds the option that was probably meant.
    ///
    /// - Parameter name: A name that no option has.
    /// - Returns: An option whose name is not much different; `nil` if there is none.
    static func nearest(to name: String) -> Option? {
        guard name.count > 2 else { return nil }
        if let longer = all.first(where: { $0.long.hasPrefix(name) }) { return longer }
        let candidates = all.map { (distance($0.long, name), $0) }
        return candidates.min { $0.0 < $1.0 }.flatMap { $0.0 <= 2 ? $0.1 : nil }
    }

    /// How many letters to change, add or remove to get from one word to another (Levenshtein).
    private static func distance(_ first: String, _ second: String) -> Int {
        let letters = Array(second)
        // A typo is short.
        guard abs(first.count - letters.count) <= 2 else { return .max }
        var row = Array(0...letters.count)
        for (i, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in letters.indices {
                let change = diagonal + (letter == letters[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row.last ?? .max
    }

    static let otherOptions: [Option] = [
        .flag(.other, "h", "help", "Show this.") { $0.action = .help },
        .flag(.other, "V", "version", "Show the version, and what is supported.") { $0.action = .version },
    ]
}
