import PiuPiuAsync

/// Reads the values of options.
enum ArgumentValue {
    typealias Mistake = Arguments.Mistake

    /// A URL, which begins with `http://`, `https://`, `ws://` or `wss://`.
    static func url(_ text: String) throws(Mistake) -> URL {
        let shown = SafeText.line(text, limit: 200)
        guard let separator = text.firstRange(of: "://") else {
            throw Mistake(description: "This is no URL: \(shown). Write https:// before it.", code: .badURL)
        }
        guard ["http", "https", "ws", "wss"].contains(text[..<separator.lowerBound].lowercased()) else {
            let code = ExitCode.unsupportedProtocol
            let schemes = "Only http://, https://, ws:// and wss:// are spoken here"
            throw Mistake(description: "\(schemes), not \(shown).", code: code)
        }
        guard let url = URL(reference: text), let host = url.host(), !host.isEmpty else {
            throw Mistake(description: "This is no URL that can be requested: \(shown).", code: .badURL)
        }
        return url
    }

    /// A method: a token of RFC 9110 §5.6.2.
    static func method(_ text: String) throws(Mistake) -> String {
        guard isToken(text) else {
            throw Mistake(description: "This is no method: \(SafeText.line(text, limit: 40)).")
        }
        return text
    }

    /// A header field.
    static func header(_ text: String) throws(Mistake) -> Arguments.Header {
        // The value may be a secret, and is not shown.
        guard let colon = text.firstIndex(of: ":"), isToken(text[..<colon]) else {
            throw Mistake(description: "A header field is written as 'Name: value'.")
        }
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        guard value.unicodeScalars.allSatisfy({ $0 == "\t" || $0.properties.generalCategory != .control }) else {
            throw Mistake(description: "The header field \(text[..<colon]) has control characters in it.")
        }
        return Arguments.Header(name: String(text[..<colon]), value: value)
    }

    /// A text, or a file after `@`.
    static func content(_ text: String) -> Arguments.Content {
        text.hasPrefix("@") ? .file(String(text.dropFirst())) : .text(text)
    }

    /// A whole number.
    static func number(_ text: String, of option: String, in range: ClosedRange<Int>) throws(Mistake) -> Int {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
        else {
            throw Mistake(
                description: "\(option) takes a number from \(range.lowerBound) to \(range.upperBound), "
                    + "not \(SafeText.line(text, limit: 40))."
            )
        }
        return number
    }

    /// A number of seconds, such as `2.5`.
    static func duration(_ text: String, of option: String) throws(Mistake) -> Duration {
        guard let seconds = decimal(text), seconds > 0, seconds <= 1e8 else {
            throw Mistake(description: "\(option) takes a number of seconds, not \(SafeText.line(text, limit: 40)).")
        }
        return .seconds(seconds)
    }

    /// A number of bytes, such as `500k` or `2M`, with powers of 1024, as in curl.
    static func rate(_ text: String, of option: String) throws(Mistake) -> Int {
        let factors: [Character: Double] = ["k": 1024, "m": 1_048_576, "g": 1_073_741_824]
        let factor = text.last.flatMap { factors[Character($0.lowercased())] }
        let rate = decimal(factor == nil ? text[...] : text.dropLast()).map { $0 * (factor ?? 1) }
        guard let rate, rate >= 1, rate < 1e15 else {
            let shown = SafeText.line(text, limit: 40)
            throw Mistake(description: "\(option) takes bytes a second, such as 500k or 2M, not \(shown).")
        }
        return Int(rate)
    }

    /// `auto`, `always` or `never`.
    static func choice(_ text: String, of option: String) throws(Mistake) -> Arguments.Choice {
        guard let choice = Arguments.Choice(rawValue: text) else {
            throw Mistake(description: "\(option) takes auto, always or never, not \(SafeText.line(text, limit: 40)).")
        }
        return choice
    }

    /// A number without sign and exponent, which `Double` would accept.
    private static func decimal(_ text: some StringProtocol) -> Double? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else { return nil }
        return Double(text)
    }

    private static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
