/// The source of a request's content for the program `curl`.
///
/// Text is in the command. `printf` prints longer text, and bytes that a shell cannot have in a word, such as NUL. `curl`
/// reads files itself, and pieces of a form one after another.
struct CurlCommandContent {
    /// The longest text in the command, in bytes: Linux passes at most 128 KiB in one argument.
    static let maximumArgument = 64 * 1024
    /// The longest content that the command shows, in bytes.
    static let maximumBody = 1024 * 1024

    /// The text before the word `curl`: a comment, or a command that prints the content and a pipe; usually empty.
    private(set) var source = ""
    /// The options that name the content; empty if there is none.
    private(set) var options: [String] = []

    /// Writes content; if it is hidden, the placeholder replaces bytes in memory.
    init(_ kind: PreparedRequest.Kind, isHidden: Bool) {
        func shown(_ data: Data) -> Data { isHidden && !data.isEmpty ? Data(Redaction.placeholder.utf8) : data }
        switch kind {
        case .withoutContent, .head: break
        case .withContent(let data): setBytes(shown(data))
        case .withStream(let body):
            switch body.source {
            case .segments(let segments, let isCompressed):
                setSegments(segments, through: isCompressed ? "gzip | " : "", shown)
            case .stream: setStandardInput("The body is a stream. Pass it on standard input.")
            }
        }
    }

    private mutating func setBytes(_ data: Data) {
        let text = String(decoding: data, as: UTF8.self)
        if data.count <= Self.maximumArgument, text.utf8.elementsEqual(data),
            text.unicodeScalars.allSatisfy(ShellWord.isVisible)
        {
            // Unlike the other options for content, this one does not interpret a leading "@".
            options = ["--data-raw " + ShellWord.quoted(text)]
        } else if data.count <= Self.maximumBody {
            pipe(ShellWord.printf(data))
        } else {
            setLongBody(Int64(data.count))
        }
    }

    private mutating func setSegments(
        _ segments: [RequestBodySegment],
        through filter: String,
        _ shown: (Data) -> Data
    ) {
        if filter.isEmpty, segments.count == 1, case .file(let url, _) = segments[0] {
            // The path is absolute, so it is never "-".
            options = ["--data-binary " + ShellWord.quoted("@" + url.path(percentEncoded: false))]
            return
        }
        var commands: [String] = []
        var count = 0
        for segment in segments {
            switch segment {
            case .file(let url, _): commands.append("cat " + ShellWord.quoted(url.path(percentEncoded: false)))
            case .bytes(let data):
                let data = shown(data)
                count += data.count
                guard count <= Self.maximumBody else { return setLongBody(segments.reduce(0) { $0 + $1.length }) }
                commands.append(ShellWord.printf(data))
            }
        }
        pipe(commands.count == 1 ? commands[0] : "{ \(commands.joined(separator: "; ")); }", through: filter)
    }

    private mutating func pipe(_ command: String, through filter: String = "") {
        source = "\(command) | \(filter)"
        options = ["--data-binary @-"]
    }

    private mutating func setLongBody(_ length: Int64) {
        setStandardInput("The body of \(length) bytes is too long for a command and comes from standard input.")
    }

    /// Lets the user provide the content; the comment has no character with a meaning to a shell.
    private mutating func setStandardInput(_ comment: String) {
        source = "# \(comment)\n"
        options = ["--data-binary @-"]
    }
}
