/// Writes text and bytes so that a shell reads exactly the same bytes.
///
/// The rules are those of every POSIX shell (Shell Command Language §2.2), so `sh`, `dash`, `bash` and `zsh` agree. The
/// result is a single line of visible characters: a terminal that it is pasted into does not react to a tab, a line end
/// or an escape sequence, and shows each character in its place.
enum ShellWord {
    /// Quotes text as one word.
    ///
    /// Text without control characters is in single quotes, in which only a single quote has a meaning (§2.2.2). Other
    /// text is the output of `printf`. A shell's word cannot hold NUL, which is lost.
    static func quoted(_ text: String) -> String {
        // Check scalars, because a quote and a combining mark after it form one character.
        let scalars = text.unicodeScalars
        guard !scalars.allSatisfy(isVisible) else { return "'" + escapingQuotes(in: scalars) + "'" }
        // A command substitution drops trailing line ends (§2.6.3).
        let lineEnds = scalars.reversed().prefix { $0 == "\n" }.count
        let rest = String(scalars.dropLast(lineEnds))
        return "\"$(\(printf(rest.utf8)))\"" + (lineEnds == 0 ? "" : "'\(String(repeating: "\n", count: lineEnds))'")
    }

    /// Writes a command that prints any bytes.
    ///
    /// `printf` is built into every common shell, so the length of its arguments is not limited. Its format escapes
    /// bytes with three octal digits (POSIX `printf`, Extended Description).
    static func printf(_ bytes: some Collection<UInt8>) -> String {
        var format: [UInt8] = []
        format.reserveCapacity(bytes.count * 2)
        let text = String(decoding: bytes, as: UTF8.self)
        if text.utf8.elementsEqual(bytes) {
            for scalar in text.unicodeScalars {
                let encoded = String(scalar).utf8
                if let byte = encoded.first, encoded.count == 1 {
                    append(byte, to: &format)
                } else if isVisible(scalar) {
                    format += encoded
                } else {
                    encoded.forEach { appendOctal($0, to: &format) }
                }
            }
        } else {
            bytes.forEach { append($0, to: &format) }
        }
        // Some shells would read the format as an option.
        if format.first == UInt8(ascii: "-") { format.replaceSubrange(..<1, with: #"\055"#.utf8) }
        return "printf '" + String(decoding: format, as: UTF8.self) + "'"
    }

    /// Whether terminals show a character unchanged and in its place.
    ///
    /// `false` for control characters, for line ends, for spaces that look like other spaces, and for invisible characters
    /// such as those that change the direction of text.
    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return (0x20...0x7E).contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: return false
        default: return true
        }
    }

    private static func escapingQuotes(in scalars: String.UnicodeScalarView) -> String {
        var result = String.UnicodeScalarView()
        for scalar in scalars {
            if scalar == "'" { result.append(contentsOf: #"'\''"#.unicodeScalars) } else { result.append(scalar) }
        }
        return String(result)
    }

    /// Appends a byte to a format of `printf`, escaped unless it is a visible character of ASCII.
    private static func append(_ byte: UInt8, to format: inout [UInt8]) {
        switch byte {
        case 0x0A: format += #"\n"#.utf8
        case 0x0D: format += #"\r"#.utf8
        case 0x09: format += #"\t"#.utf8
        case UInt8(ascii: "%"): format += "%%".utf8
        case UInt8(ascii: "\\"): format += #"\\"#.utf8
        // Interactive shells interpret the exclamation mark in double quotes, too.
        case UInt8(ascii: "'"), UInt8(ascii: "!"): appendOctal(byte, to: &format)
        case 0x20...0x7E: format.append(byte)
        default: appendOctal(byte, to: &format)
        }
    }

    private static func appendOctal(_ byte: UInt8, to format: inout [UInt8]) {
        format += [UInt8(ascii: "\\"), 0x30 + (byte >> 6), 0x30 + (byte >> 3 & 7), 0x30 + (byte & 7)]
    }
}
