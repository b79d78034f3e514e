/// The text of `--help`: a pure function of the table of options.
enum Help {
    /// The number of columns that are used.
    static let width = 80
    private static let column = 32

    /// The whole text.
    static let text = ([introduction] + Option.Group.allCases.map(section) + [conclusion]).joined(separator: "\n\n")

    private static let introduction = """
        Usage: Fetch [OPTION]... URL...

        Fetches URLs over HTTP/1.1, HTTP/2 and HTTP/3, with PiuPiu.

        A single response goes to standard output, as with curl: JSON indented and
        coloured on a terminal, every byte as it is to a file or a pipe. Several URLs
        are saved, each under the last part of its path (-O), with a bar each. A file
        is saved from a status below 400 only. Redirects are followed; secrets do not
        go to other origins.

        With ws:// or wss://, each line of standard input is sent as a text, and each
        message of the server is written. Ctrl-D closes the WebSocket with 1000, and
        waits for the server.

        Without arguments, Fetch starts a server on 127.0.0.1 and shows what it can.
        """

    private static let conclusion = """
        Exit status, mostly curl's:
        \(ExitCode.table)

        Examples:
          Fetch https://example.org/data.json
          Fetch -O --resume --retry 5 https://example.org/a.iso
          Fetch --parallel 8 --output-dir files https://example.org/{1,2,3}.jpg
          Fetch --json '{"name": "Ada"}' --bearer API_TOKEN https://example.org/users
          Fetch -I --timings https://example.org
          Fetch -c jar.txt -d @login.txt https://example.org/login
          Fetch --ping 30 wss://example.org/chat
        """

    private static func section(_ group: Option.Group) -> String {
        ([group.rawValue + ":"] + Option.all.filter { $0.group == group }.map(entry)).joined(separator: "\n")
    }

    private static func entry(_ option: Option) -> String {
        let short = option.short.map { "-\($0), " } ?? "    "
        let names = "  \(short)--\(option.long)\(option.value.map { " \($0)" } ?? "")"
        var lines = wrapped(option.help, width - column)
        if names.count + 2 <= column, let first = lines.first {
            lines[0] = names + String(repeating: " ", count: column - names.count) + first
            return ([lines[0]] + lines.dropFirst().map(indented)).joined(separator: "\n")
        }
        return ([names] + lines.map(indented)).joined(separator: "\n")
    }

    private static func indented(_ line: String) -> String { String(repeating: " ", count: column) + line }

    /// Breaks a text into lines.
    ///
    /// - Parameters:
    ///   - text: Words, separated by single spaces.
    ///   - width: The number of columns.
    /// - Returns: The lines; a word that is longer than a line has one of its own.
    static func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
