import PiuPiuAsync

/// Turns the bytes of a body into those for standard output: a pure value.
struct BodySink {
    /// What becomes of a body.
    struct Plan: Equatable {
        /// Whether a person reads it at a terminal.
        var isTerminal: Bool
        /// Whether control characters are replaced.
        var isFiltered: Bool
        /// Whether JSON is indented, and coloured if there are colours.
        var isFormatted: Bool
        var colours: Colours

        /// Decides for a body.
        ///
        /// - Parameters:
        ///   - arguments: What the user asks for.
        ///   - mediaType: The `Content-Type` of the response.
        ///   - colours: The colours of standard output.
        ///   - isTerminal: Whether standard output is a terminal.
        init(
            _ arguments: Arguments,
            mediaType: String?,
            _ colours: Colours,
            isTerminal: Bool = Terminal.isThere(STDOUT_FILENO)
        ) {
            self.isTerminal = isTerminal
            self.colours = colours
            isFiltered = isTerminal && !arguments.isRaw
            let type = mediaType.flatMap { MediaType($0) }
            let isJSON = type.map { $0.subtype == "json" || $0.subtype.hasSuffix("+json") || $0.subtype == "x-ndjson" }
            isFormatted =
                switch arguments.format {
                case .auto: isTerminal && isJSON ?? false
                case .always: isJSON ?? false
                case .never: false
                }
        }
    }

    private let plan: Plan
    /// Whether the user named standard output, and wants whatever comes.
    private let isNamed: Bool
    private var filter = TerminalFilter()
    private var formatter: JSONFormatter
    private var isFirst = true
    private var endsLine = true

    init(plan: Plan, isNamed: Bool) {
        self.plan = plan
        self.isNamed = isNamed
        formatter = JSONFormatter(colours: plan.colours)
    }

    /// Takes the next piece.
    ///
    /// - Parameter data: The piece.
    /// - Returns: What to write.
    /// - Throws: ``FetchError`` if it is no text and would be shown to a person.
    mutating func take(_ data: Data) throws -> [UInt8] {
        if isFirst, plan.isFiltered, !isNamed, data.contains(0) {
            throw FetchError(
                .notWritten,
                "The body is no text, and is not shown on a terminal.",
                advice: "Save it with -O or -o FILE, or use --raw."
            )
        }
        isFirst = false
        var bytes = plan.isFiltered ? filter.filter(data) : Array(data)
        if plan.isFormatted { bytes = formatter.format(bytes) }
        if let last = bytes.last { endsLine = last == 0x0A }
        return bytes
    }

    /// Ends the body.
    ///
    /// - Returns: What is left to write; on a terminal, what follows begins in a line of its own.
    mutating func finish() -> [UInt8] {
        let left = plan.isFiltered ? filter.finish() : []
        if plan.isFormatted {
            let rest = formatter.format(left) + formatter.finish()
            if let last = rest.last { endsLine = last == 0x0A }
            return rest
        }
        if !left.isEmpty { endsLine = false }
        defer { endsLine = true }
        return left + (plan.isTerminal && !endsLine ? [0x0A] : [])
    }
}
