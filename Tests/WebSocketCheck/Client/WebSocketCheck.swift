import PiuPiuAsync

/// Checks WebSockets against servers of other projects; `Scripts/check-websockets` runs it.
///
///     WebSocketCheck autobahn URL [--seconds N] [--parallel N] [--only N,N] [--wait] [--verbose] [connection options]
///     WebSocketCheck echo URL [--messages N] [--sockets N] [--maximum BYTES] [--window N] [--seed N] [--seconds N] [...]
///     WebSocketCheck hold URL [--sockets N] [--reopen] [--seconds N] [connection options]
///
/// The connection options are `--compression [no-context]`, `--proxy URL`, `--ca FILE`, `--http2 never|automatic|preferred`, and
/// `--cleartext` for HTTP/2 without TLS. `--expect 1` or `--expect 2` makes a
/// socket over another version of HTTP a fault, and `--must-compress` one without compression. The exit status is 1 if there
/// was a fault.
@main
struct WebSocketCheck {
    static func main() async {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            let connector = try Connector(arguments)
            let isRight =
                switch arguments.command {
                case "autobahn": try await Autobahn(arguments, connector).run()
                case "echo": await Echo(arguments, connector).run()
                case "hold": await Hold(arguments, connector).run()
                default: throw Arguments.Invalid(reason: "there is no command \(arguments.command)")
                }
            await connector.shutdown()
            exit(isRight ? 0 : 1)
        } catch {
            printLine("error \(error)")
            exit(2)
        }
    }
}

/// Writes a line at once and as a whole, so that nothing is missing if the process is killed.
func printLine(_ text: String) {
    let text = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}
