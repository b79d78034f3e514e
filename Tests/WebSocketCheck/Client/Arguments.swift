import PiuPiuAsync

/// A command, a URL, and options of the form `--name VALUE` or `--name`.
struct Arguments: Sendable {
    /// An argument that is missing or not understood.
    struct Invalid: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }

    let command: String
    let url: URL
    private var values: [String: String] = [:]

    init(_ arguments: some Sequence<String>) throws {
        var plain: [String] = []
        var name: String?
        for argument in arguments {
            if argument.hasPrefix("--") {
                name = String(argument.dropFirst(2))
                values[String(argument.dropFirst(2))] = ""
            } else if let option = name {
                values[option] = argument
                name = nil
            } else {
                plain.append(argument)
            }
        }
        guard plain.count == 2, let url = URL(string: plain[1]) else {
            throw Invalid(reason: "there must be a command and a URL before the options")
        }
        command = plain[0]
        self.url = url
    }

    /// Returns whether an option was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// Returns the value of an option; `nil` if it was not given.
    func text(_ name: String) -> String? { values[name] }

    /// Returns the number that an option has, or the default.
    func number(_ name: String, _ usual: Int) -> Int { values[name].flatMap { Int($0) } ?? usual }
}
