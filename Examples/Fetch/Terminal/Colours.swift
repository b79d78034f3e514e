/// Escape sequences for colours, or nothing at all: a pure value.
struct Colours: Equatable {
    enum Kind {
        case key, string, number, word, punctuation, good, bad, faint, name
    }

    /// Whether there are any.
    let isOn: Bool

    /// Decides whether to use colours.
    ///
    /// - Parameters:
    ///   - choice: What the user wants.
    ///   - isTerminal: Whether the output is a terminal that knows them.
    ///   - environment: The environment; `NO_COLOR` in it, if it is not empty, turns them off (no-color.org).
    init(_ choice: Arguments.Choice, isTerminal: Bool, environment: [String: String]) {
        switch choice {
        case .always: isOn = true
        case .never: isOn = false
        case .auto: isOn = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
        }
    }

    init(isOn: Bool) {
        self.isOn = isOn
    }

    /// The sequence that begins a colour.
    func start(_ kind: Kind) -> String {
        guard isOn else { return "" }
        return switch kind {
        case .key: "\u{1B}[34;1m"
        case .string: "\u{1B}[32m"
        case .number: "\u{1B}[36m"
        case .word: "\u{1B}[35m"
        case .punctuation, .faint: "\u{1B}[2m"
        case .good: "\u{1B}[32;1m"
        case .bad: "\u{1B}[31;1m"
        case .name: "\u{1B}[36m"
        }
    }

    /// The sequence that ends it.
    var end: String { isOn ? "\u{1B}[0m" : "" }

    /// A text in a colour.
    func paint(_ text: String, _ kind: Kind) -> String { start(kind) + text + end }
}
