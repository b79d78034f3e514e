/// Tells options and their values from the rest.
struct ArgumentReader {
    enum Word {
        /// An option with its value, which is empty if it takes none.
        case option(Option, String)
        case operand(String)
    }

    private var words: ArraySlice<String>
    /// The short options that stand in the same word and are not read yet, such as `sL` of `-fsL`.
    private var cluster: Substring = ""
    private var hasOptions = true

    init(_ words: [String]) {
        self.words = words[...]
        // `swift run Fetch -- URL` passes the dashes on.
        if words.first == "--" { self.words.removeFirst() }
    }

    var isEmpty: Bool { words.isEmpty }

    mutating func next() throws(Arguments.Mistake) -> Word? {
        if let letter = cluster.popFirst() { return try short(letter) }
        guard let word = words.popFirst() else { return nil }
        guard hasOptions, word.hasPrefix("-"), word != "-" else { return .operand(word) }
        guard word != "--" else {
            hasOptions = false
            return try next()
        }
        guard word.hasPrefix("--") else {
            cluster = word.dropFirst()
            return try next()
        }
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = Option.named(name) else {
            let nearest = Option.nearest(to: name).map { " Did you mean --\($0.long)?" } ?? ""
            throw Arguments.Mistake(description: "There is no option --\(name).\(nearest)")
        }
        return .option(option, try value(of: option, parts.count > 1 ? String(parts[1]) : nil, "--\(name)"))
    }

    private mutating func short(_ letter: Character) throws(Arguments.Mistake) -> Word {
        guard let option = Option.all.first(where: { $0.short == letter }) else {
            throw Arguments.Mistake(description: "There is no option -\(letter).")
        }
        guard option.value != nil, !cluster.isEmpty else {
            return .option(option, try value(of: option, nil, "-\(letter)"))
        }
        defer { cluster = "" }
        return .option(option, String(cluster))
    }

    /// What belongs to an option: after its `=`, or the next word.
    private mutating func value(
        of option: Option,
        _ attached: String?,
        _ name: String
    ) throws(Arguments.Mistake) -> String {
        guard option.value != nil else {
            if attached != nil { throw Arguments.Mistake(description: "\(name) takes no value.") }
            return ""
        }
        guard let value = attached ?? words.popFirst(), !value.isEmpty || option.allowsEmpty else {
            throw Arguments.Mistake(description: "Something is missing after \(name).")
        }
        return value
    }
}
