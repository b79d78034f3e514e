import PiuPiuAsync

/// Prints what happens, in aligned columns.
enum Output {
    /// Prints the heading of a step and the call it makes.
    static func heading(_ number: Int, _ title: String, _ call: String) {
        print("\n\(number < 10 ? " " : "")\(number). \(title)")
        print("    \(call)")
    }

    /// Prints what came back: a label and a value.
    static func line(_ label: String, _ value: some CustomStringConvertible) {
        let padding = String(repeating: " ", count: max(1, 14 - label.count))
        print("      \(label)\(padding)\(printable(value.description))")
    }

    /// Prints something that came back as it is.
    static func text(_ text: String) {
        print("      " + printable(text))
    }

    /// Prints to standard error.
    static func problem(_ text: String) {
        // What was printed before comes first, even if both go into one pipe.
        fflush(nil)
        FileHandle.standardError.write(Data((printable(text) + "\n").utf8))
    }

    /// A duration in milliseconds.
    static func milliseconds(_ duration: Duration) -> String {
        duration.formatted(.units(allowed: [.milliseconds], fractionalPart: .show(length: 1)))
    }

    /// A status code as a person writes it, such as `404 Not Found`.
    static func words(_ code: StatusCode) -> String {
        "\(code.rawValue) \(code.localizedDescription)"
    }

    /// The text without control characters: what a server sends must neither move the cursor nor reverse the direction of
    /// letters.
    static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control where scalar != "\n" && scalar != "\t": "\u{FFFD}"
            // Joiners are in many words and emoji.
            case .format where scalar.value != 0x200C && scalar.value != 0x200D: "\u{FFFD}"
            case .lineSeparator, .paragraphSeparator: "\u{FFFD}"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
