import PiuPiuAsync

/// The progress of all transfers, as lines of text: a pure value.
///
///     a.iso         43 %  [##########..............]  12.3 MiB of 28.6 MiB  5.20 MiB/s
///     b.iso         12 %  [###.....................]  3.40 MiB of 28.6 MiB  1.30 MiB/s
///     1 of 5 files  31 %  [#######.................]  44.3 MiB  6.50 MiB/s
struct ProgressBoard {
    private struct Row {
        var index: Int
        var name: String
        var progress: TransferProgress?
    }

    private static let widestName = 28
    private static let narrowestName = 8

    /// How many transfers there are in all.
    let count: Int
    private(set) var saved = 0
    private(set) var failed = 0
    private var rows: [Row] = []
    private var bytes: Int64 = 0
    /// The largest fraction so far.
    private var leastFraction = 0.0

    init(count: Int) {
        self.count = count
    }

    /// Whether nothing is under way.
    var isIdle: Bool { rows.isEmpty }

    /// Takes in that a transfer begins.
    mutating func begin(_ index: Int, name: String) {
        rows.append(Row(index: index, name: SafeText.line(name), progress: nil))
    }

    /// Takes in a progress.
    mutating func update(_ index: Int, _ progress: TransferProgress) {
        guard let row = rows.firstIndex(where: { $0.index == index }) else { return }
        rows[row].progress = progress
        leastFraction = fraction
    }

    /// Takes in that a transfer is over.
    mutating func end(_ index: Int, isSuccess: Bool) {
        guard let row = rows.firstIndex(where: { $0.index == index }) else { return }
        bytes += rows.remove(at: row).progress?.done ?? 0
        if isSuccess { saved += 1 } else { failed += 1 }
        leastFraction = fraction
    }

    /// The latest progress of a transfer.
    func progress(_ index: Int) -> TransferProgress? { rows.first { $0.index == index }?.progress }

    /// The name of a transfer, for lines that stay; `nil` if it is the only one.
    func name(_ index: Int) -> String? {
        count > 1 ? rows.first { $0.index == index }?.name : nil
    }

    /// The lines for a terminal.
    ///
    /// - Parameters:
    ///   - width: How many columns there are.
    ///   - height: How many lines there are at most.
    ///   - step: A number that grows with time; it moves the marks of transfers whose length is not known.
    /// - Returns: The lines, none wider than `width`: the transfers, and their total if there are several.
    func lines(width: Int, height: Int, step: Int) -> [String] {
        guard count > 1 else {
            return rows.prefix(1).map { ProgressLine.bar($0.progress ?? Self.nothing, width: width, step: step) }
        }
        let total = "\(saved) of \(count) files" + (failed == 0 ? "" : ", \(failed) failed")
        let longest = (rows.map { Columns.width($0.name) } + [total.count]).max() ?? 0
        let column = min(longest, max(Self.narrowestName, min(Self.widestName, width / 3)))
        let room = max(0, height - 1)
        var lines = rows.prefix(room).map { row in
            line(row.name, row.progress ?? Self.nothing, nil, column, width, step)
        }
        lines.append(line(total, self.total, fraction > 0 ? fraction : nil, column, width, step))
        return lines
    }

    private func line(
        _ name: String,
        _ progress: TransferProgress,
        _ fraction: Double?,
        _ column: Int,
        _ width: Int,
        _ step: Int
    ) -> String {
        guard width > column else { return Columns.fit(name, width) }
        return Columns.fit(name, column) + " "
            + ProgressLine.bar(progress, fraction: fraction, width: width - column - 1, step: step)
    }

    /// The fraction of all transfers together, which never decreases.
    ///
    /// Until every length is known it is estimated: each transfer counts the same.
    var fraction: Double {
        let parts = rows.reduce(Double(saved + failed)) { $0 + ($1.progress?.fractionCompleted ?? 0) }
        return max(leastFraction, total.fractionCompleted ?? min(1, parts / Double(max(1, count))))
    }

    /// All transfers together.
    var total: TransferProgress {
        let done = rows.reduce(bytes) { $0 + ($1.progress?.done ?? 0) }
        let rates = rows.compactMap { $0.progress?.bytesPerSecond }
        let lengths = rows.compactMap { $0.progress?.total }
        let isKnown = saved + failed + rows.count == count && lengths.count == rows.count
        return TransferProgress(
            direction: .receiving,
            bytesReceived: done,
            bytesToReceive: isKnown ? lengths.reduce(bytes, +) : nil,
            bytesPerSecond: rates.isEmpty ? nil : rates.reduce(0, +)
        )
    }

    private static let nothing = TransferProgress(direction: .receiving)
}
