import PiuPiuAsync

/// Where the time went, as a picture of lines: a pure function.
///
///     queue          0.0 ms
///     name lookup    2.1 ms  =
///     connect       11.0 ms  =====
///     TLS           25.3 ms       ===========
///     first byte    48.0 ms                  =====================
///     content       11.6 ms                                       =====
///     total         98.0 ms
enum Timings {
    /// A part of an exchange.
    struct Phase: Equatable {
        var name: String
        var duration: Duration
    }

    private static let widestPicture = 50

    /// Makes the lines.
    ///
    /// - Parameters:
    ///   - location: The URL as it is shown.
    ///   - entry: What is known of the job.
    ///   - width: How many columns there are.
    ///   - colours: The colours.
    /// - Returns: The lines, in which everything is safe for a terminal.
    static func lines(_ location: String, _ entry: Ledger.Entry, width: Int, _ colours: Colours) -> [String] {
        guard let last = entry.exchanges.last, let metrics = last.metrics else {
            return ["There are no timings of \(SafeText.line(location))."]
        }
        var lines = [colours.paint(SafeText.line("Timings of \(location)"), .name)]
        let phases = phases(metrics)
        let total = phases.reduce(Duration.zero) { $0 + $1.duration }
        let room = min(widestPicture, width - 26)
        var before = Duration.zero
        for phase in phases {
            var line = row(phase.name, Amounts.exact(phase.duration))
            if room >= 10, total > .zero, phase.duration > .zero {
                let start = min(room - 1, Int(before / total * Double(room)))
                let end = max(start + 1, Int(((before + phase.duration) / total * Double(room)).rounded()))
                let bar = String(repeating: "=", count: min(end, room) - start)
                line += "  " + String(repeating: " ", count: start) + colours.paint(bar, .good)
            }
            lines.append(line)
            before += phase.duration
        }
        lines.append(row("total", Amounts.exact(total)))
        lines.append(row("sent", Amounts.size(Int64(metrics.bytesSent))))
        lines.append(row("received", Amounts.size(Int64(metrics.bytesReceived))))
        lines.append(row("attempts", "\(max(1, entry.attempts))"))
        if entry.redirects > 0 { lines.append(row("redirects", "\(entry.redirects), of which the last is shown")) }
        if let connection = last.connection { lines.append("  " + SafeText.line(Talk.text(of: connection))) }
        return lines
    }

    /// The parts of an exchange, one after the other.
    static func phases(_ metrics: ExchangeMetrics) -> [Phase] {
        var phases = [Phase(name: "queue", duration: metrics.queued)]
        var before = Duration.zero
        func add(_ name: String, _ end: Duration) {
            phases.append(Phase(name: name, duration: max(.zero, end - before)))
            before = max(before, end)
        }
        if !metrics.isReusedConnection {
            add("name lookup", metrics.nameLookup)
            add("connect", metrics.connect)
            if metrics.secureConnect > .zero { add("TLS", metrics.secureConnect) }
        }
        add("first byte", metrics.firstByte)
        add("content", metrics.total)
        return phases
    }

    private static func row(_ name: String, _ value: String) -> String {
        "  " + name + String(repeating: " ", count: max(1, 21 - name.count - value.count)) + value
    }
}
