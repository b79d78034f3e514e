import PiuPiuAsync

/// One line about a progress: pure text, which fits a width.
///
///      43 %  [##########..............]  12.3 MiB of 28.6 MiB  5.20 MiB/s  4 s left
///     [........<=>..............]  12.3 MiB  5.20 MiB/s
enum ProgressLine {
    private static let narrowestBar = 8
    private static let widestBar = 50

    /// The line for a terminal.
    ///
    /// - Parameters:
    ///   - progress: How far the transfer has come.
    ///   - fraction: The fraction that is shown; `nil` for that of the progress.
    ///   - width: How many columns there are; what does not fit is left out, the least important first.
    ///   - step: How often a line was drawn before; it moves the mark if the total is not known.
    /// - Returns: The line.
    static func bar(_ progress: TransferProgress, fraction: Double? = nil, width: Int, step: Int) -> String {
        guard progress.done > 0 || progress.total != nil else { return String("Waiting for the server".prefix(width)) }
        let fraction = fraction ?? progress.fractionCompleted
        let percentage = fraction.map { padded(Self.percentage($0), 5) }
        let details = details(progress)
        // As many details as leave room for a bar, or else as many as fit without one.
        for count in stride(from: details.count, through: percentage == nil ? 1 : 0, by: -1) {
            let texts = details.prefix(count)
            let taken = (percentage.map { $0.count + 2 } ?? 0) + texts.reduce(0) { $0 + $1.count + 2 } + 2
            let room = min(width - taken, widestBar)
            guard room >= narrowestBar else { continue }
            let bar = "[" + cells(fraction, room, step) + "]"
            return trimmed(([percentage, bar].compactMap(\.self) + texts).joined(separator: "  "))
        }
        for count in stride(from: details.count, through: 0, by: -1) {
            let line = trimmed(([percentage].compactMap(\.self) + details.prefix(count)).joined(separator: "  "))
            if line.count <= width, !line.isEmpty { return line }
        }
        return ""
    }

    /// The line for a file or a pipe.
    static func plain(_ progress: TransferProgress) -> String {
        guard progress.done > 0 || progress.total != nil else { return "Waiting for the server" }
        let texts = [progress.fractionCompleted.map(percentage), size(progress), rate(progress), left(progress)]
        return texts.compactMap(\.self).joined(separator: ", ")
    }

    /// The columns after the bar, of constant width, so that the bar stays where it is.
    private static func details(_ progress: TransferProgress) -> [String] {
        let rate = padded(rate(progress) ?? "", 10)
        guard let total = progress.total else { return [padded(Amounts.size(progress.done), 8), rate] }
        let whole = Amounts.size(total)
        let size = padded(Amounts.size(progress.done), 8) + " of " + whole + spaces(8 - whole.count)
        // The time is at the right end, where it need not be padded on its left, but it needs its room.
        let left = left(progress) ?? ""
        return [size, rate, left + spaces(12 - left.count)]
    }

    private static func size(_ progress: TransferProgress) -> String {
        let done = Amounts.size(progress.done)
        return progress.total.map { "\(done) of \(Amounts.size($0))" } ?? done
    }

    private static func rate(_ progress: TransferProgress) -> String? {
        progress.bytesPerSecond.map { Amounts.rate($0) }
    }

    private static func left(_ progress: TransferProgress) -> String? {
        guard progress.done < progress.total ?? 0 else { return nil }
        return progress.estimatedTimeRemaining.map { Amounts.remaining($0) + " left" }
    }

    private static func percentage(_ fraction: Double) -> String {
        // Rounded down: 100 % is when everything is there.
        "\(Int(fraction * 100)) %"
    }

    private static func cells(_ fraction: Double?, _ count: Int, _ step: Int) -> String {
        if let fraction {
            let full = Int(fraction * Double(count))
            return String(repeating: "#", count: full) + String(repeating: ".", count: count - full)
        }
        let mark = "<=>"
        // To the right end and back.
        let room = count - mark.count
        let place = step % (2 * room)
        let before = place <= room ? place : 2 * room - place
        return String(repeating: ".", count: before) + mark + String(repeating: ".", count: room - before)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        spaces(width - text.count) + text
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension TransferProgress {
    /// How many bytes moved in the main direction.
    var done: Int64 { direction == .sending ? bytesSent : bytesReceived }
    /// How many bytes there are in the main direction.
    var total: Int64? { direction == .sending ? bytesToSend : bytesToReceive }
}
