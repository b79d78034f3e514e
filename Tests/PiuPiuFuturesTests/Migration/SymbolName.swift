import Foundation

/// A symbol of a legacy system, or what a code span in a table says about symbols.
///
/// `ResponseFuture.Status.created`, `URLRequestDispatcher.init(configuration:requestAdapter:responseAdapter:)`,
/// `DataDispatcher.dataFuture(from: { … })` and `>>>` are names.
struct SymbolName: Hashable, CustomStringConvertible {
    struct Argument: Hashable {
        /// The label; `_` if there is none.
        var label: String
        /// What is written after the label: `closure` for every closure, and other text as it is.
        var value: String?
    }

    static let closure = "{ … }"

    /// The name as it was written.
    let description: String
    /// The types around the symbol, from the outside in.
    var owner: [String]
    /// The last component of the name; empty if only arguments were written.
    var base: String
    /// The arguments; `nil` if there are no parentheses.
    var arguments: [Argument]?
    /// Whether a closure stands behind the name or its parentheses.
    var hasTrailingClosure = false

    /// Whether the name was written with a dot in front, as a member of something that was named before.
    var isMember: Bool

    /// Reads a name; fails if the text is not the name of a symbol, but a statement for example.
    ///
    /// - Parameter text: The text, without backticks.
    init?(_ text: String) {
        description = text.trimmingCharacters(in: .whitespaces)
        var rest = Substring(description)
        isMember = rest.hasPrefix(".")
        if isMember { rest.removeFirst() }
        if let symbol = Self.operatorName(in: rest) {
            (owner, base, arguments) = ([], symbol, nil)
            return
        }
        var depth = 0
        let name = rest.prefix { character in
            depth += character == "<" ? 1 : character == ">" ? -1 : 0
            return depth > 0 || !"({ ".contains(character)
        }
        rest = rest.dropFirst(name.count)
        if rest.hasPrefix("(") {
            guard let end = Self.end(of: rest) else { return nil }
            arguments = Self.arguments(in: rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
            // A function that returns a function may be written with the call of that one.
            while rest.hasPrefix("("), let end = Self.end(of: rest) { rest = rest[rest.index(after: end)...] }
        }
        rest = rest.drop { $0 == " " }
        if rest.hasPrefix("{"), rest.hasSuffix("}") {
            hasTrailingClosure = true
            rest = ""
        }
        var components = Self.components(of: name)
        guard rest.isEmpty, !name.isEmpty || arguments != nil else { return nil }
        guard components.allSatisfy({ Self.isIdentifier($0) }) else { return nil }
        base = components.popLast() ?? ""
        owner = components
    }

    /// The same name with a dot in front.
    var asMember: SymbolName {
        var name = self
        name.isMember = true
        return name
    }

    /// The types around the symbol as one text.
    var ownerPath: String { owner.joined(separator: ".") }

    /// The labels and the base name, which code that uses the symbol has to contain; of an initializer, the type.
    var words: [String] {
        let name = base == "init" ? owner.last.map(Self.withoutGenerics) ?? base : base
        return ([name] + (arguments ?? []).map(\.label)).filter { !$0.isEmpty && $0 != "_" }
    }

    /// Whether a name covers this symbol, apart from the types around it.
    func isCovered(by name: SymbolName) -> Bool {
        guard base == Self.withoutGenerics(name.base) || base == name.base else { return false }
        guard let arguments else { return name.arguments == nil && !name.hasTrailingClosure }
        var written = name.arguments ?? []
        // A trailing closure is the last argument, whatever its label is.
        if name.hasTrailingClosure, let last = arguments.last {
            written.append(Argument(label: last.label, value: Self.closure))
        }
        return written.count == arguments.count
            && zip(written, arguments).allSatisfy { written, argument in
                written.label == argument.label && (argument.value == nil || written.value == argument.value)
            }
    }

    /// Whether the symbol is distinguished from another one by what is written after a label.
    var hasValues: Bool { arguments?.contains { $0.value != nil } == true }

    static func withoutGenerics(_ text: String) -> String {
        text.hasSuffix(">") ? String(text.prefix { $0 != "<" }) : text
    }

    // MARK: Reading

    /// The operator that a text consists of, alone or between two names.
    private static func operatorName(in text: Substring) -> String? {
        let parts = text.split(separator: " ")
        guard let symbol = parts.count == 3 ? parts[1] : parts.first, parts.count == 1 || parts.count == 3,
            symbol.allSatisfy({ "<>|+-*/&^~!=".contains($0) })
        else {
            return nil
        }
        return parts.count == 1 || isIdentifier(String(parts[0])) && isIdentifier(String(parts[2]))
            ? String(symbol) : nil
    }

    private static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.first, first.isLetter || first == "_" else { return false }
        return withoutGenerics(text).allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// The parts between dots that are not inside angle brackets.
    private static func components(of name: Substring) -> [String] {
        pieces(of: name, at: ".")
    }

    /// The index of the parenthesis that closes the first one.
    private static func end(of text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text.indices {
            if "([{".contains(text[index]) { depth += 1 }
            if ")]}".contains(text[index]) { depth -= 1 }
            if depth == 0 { return text[index] == ")" ? index : nil }
        }
        return nil
    }

    /// The arguments of `from:to:`, and those of `from: request, to: url`.
    private static func arguments(in text: Substring) -> [Argument] {
        let text = text.trimmingCharacters(in: .whitespaces)
        if text.hasSuffix(":"), !text.contains(where: { " ,".contains($0) }) {
            return text.dropLast().split(separator: ":").map { Argument(label: String($0)) }
        }
        return pieces(of: Substring(text), at: ",").map { piece in
            let piece = piece.trimmingCharacters(in: .whitespaces)
            let parts = pieces(of: Substring(piece), at: ":")
            guard parts.count > 1 else { return Argument(label: "_", value: value(piece)) }
            return Argument(label: parts[0], value: value(parts.dropFirst().joined(separator: ":")))
        }
    }

    private static func value(_ text: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty else { return nil }
        return text.hasPrefix("{") ? closure : text
    }

    /// Splits a text at a character that is not inside brackets.
    private static func pieces(of text: Substring, at separator: Character) -> [String] {
        guard !text.isEmpty else { return [] }
        var depth = 0
        var pieces = [""]
        for character in text {
            if "([{<".contains(character) { depth += 1 }
            if ")]}>".contains(character) { depth -= 1 }
            if depth == 0, character == separator {
                pieces.append("")
            } else {
                pieces[pieces.count - 1].append(character)
            }
        }
        return pieces
    }
}
