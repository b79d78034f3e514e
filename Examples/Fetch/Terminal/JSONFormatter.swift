/// Indents JSON and colours it, piece by piece: a pure value.
///
/// Nothing is parsed into values, so that numbers, escapes and the order of keys stay as the server wrote them, and
/// what is no JSON comes out with all its characters other than white space. Several texts after each other, as in
/// JSON lines, have a line end between them.
struct JSONFormatter {
    private enum State {
        /// Between tokens.
        case open
        case string(isKey: Bool, isEscaped: Bool)
        /// In a number, or a word such as `true`.
        case bare
    }

    /// Deeper levels are not indented further, so that the output stays in proportion to the input.
    private static let deepestIndent = 32

    private let colours: Colours
    private var state = State.open
    /// For each level, whether it is an object.
    private var levels: [Bool] = []
    /// Whether a string that begins now is the key of a field.
    private var expectsKey = false
    /// Whether the level has just begun, so that its end may follow on the same line.
    private var isEmpty = false
    /// Whether a value has just ended, so that another one, which should not follow, is kept apart from it.
    private var followsValue = false
    private var hasText = false
    private var output: [UInt8] = []

    /// Creates a formatter.
    ///
    /// - Parameter colours: The colours.
    init(colours: Colours) {
        self.colours = colours
    }

    /// Formats a piece.
    ///
    /// - Parameter bytes: The next bytes, which may end anywhere, even within a character.
    /// - Returns: What can be written.
    mutating func format(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        for byte in bytes { take(byte) }
        defer { output = [] }
        return output
    }

    /// Ends the text.
    ///
    /// - Returns: What is left to write, with a line end.
    mutating func finish() -> [UInt8] {
        switch state {
        case .open: break
        case .string, .bare: write(colours.end)
        }
        if hasText { write("\n") }
        defer { self = JSONFormatter(colours: colours) }
        return output
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .string(let isKey, let isEscaped):
            output.append(byte)
            if isEscaped {
                state = .string(isKey: isKey, isEscaped: false)
            } else if byte == UInt8(ascii: "\\") {
                state = .string(isKey: isKey, isEscaped: true)
            } else if byte == UInt8(ascii: "\"") {
                write(colours.end)
                state = .open
            }
        case .bare:
            if Self.endsBareToken(byte) {
                write(colours.end)
                state = .open
                takeOpen(byte)
            } else {
                output.append(byte)
            }
        case .open: takeOpen(byte)
        }
    }

    private mutating func takeOpen(_ byte: UInt8) {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: break
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            beginToken()
            punctuation(byte)
            levels.append(byte == UInt8(ascii: "{"))
            (isEmpty, expectsKey) = (true, byte == UInt8(ascii: "{"))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            _ = levels.popLast()
            if !isEmpty { newLine() }
            punctuation(byte)
            (isEmpty, expectsKey, followsValue) = (false, false, true)
        case UInt8(ascii: ","):
            punctuation(byte)
            if !levels.isEmpty { newLine() }
            expectsKey = levels.last ?? false
        case UInt8(ascii: ":"):
            punctuation(byte)
            write(" ")
            expectsKey = false
        case UInt8(ascii: "\""):
            beginToken()
            write(colours.start(expectsKey ? .key : .string))
            output.append(byte)
            state = .string(isKey: expectsKey, isEscaped: false)
        default:
            beginToken()
            let isNumber = byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte)
            write(colours.start(isNumber ? .number : .word))
            output.append(byte)
            state = .bare
        }
    }

    private mutating func beginToken() {
        if isEmpty {
            newLine()
        } else if followsValue {
            write(levels.isEmpty ? "\n" : " ")
        }
        (isEmpty, hasText, followsValue) = (false, true, true)
    }

    private mutating func punctuation(_ byte: UInt8) {
        (hasText, followsValue) = (true, false)
        write(colours.start(.punctuation))
        output.append(byte)
        write(colours.end)
    }

    private mutating func newLine() {
        write("\n" + String(repeating: "  ", count: min(levels.count, Self.deepestIndent)))
    }

    private mutating func write(_ text: String) { output += text.utf8 }

    private static func endsBareToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "{"),
            UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
