#if os(Linux)
import Foundation
import Glibc

/// Makes a finding small: drops exchanges and bytes for as long as the program, in a process of its own, still finds
/// something.
struct Minimizer {
    private var plans: [Plan]
    /// When it is small enough, whatever could still be dropped.
    private let deadline = ContinuousClock.now + .seconds(90)
    private let path = FileManager.default.temporaryDirectory.appending(path: "ResponseFuzzer-\(getpid()).txt").path()

    /// Creates a minimizer for a sequence of exchanges, of which the last has the finding.
    init(plans: [Plan]) {
        self.plans = plans
    }

    /// Runs until nothing more can be dropped, and prints what is left.
    ///
    /// - Returns: Whether there was no finding to begin with.
    mutating func run() throws -> Bool {
        defer { unlink(path) }
        guard let ending = try ending(plans) else {
            print("There is no finding.")
            return true
        }
        print("# \(ending)")
        for index in plans.indices.dropLast().reversed() {
            var fewer = plans
            fewer.remove(at: index)
            if try self.ending(fewer) == ending { plans = fewer }
        }
        for index in plans.indices { try shrink(index, ending) }
        print(plans.map(Script.text).joined(separator: "\n"))
        return false
    }

    private mutating func shrink(_ index: Int, _ ending: Supervisor.Ending) throws {
        for change in [
            { $0.cuts = [$0.bytes.count] }, { $0.isSlow = false }, { $0.isRedirected = false }, { $0.method = .get },
            { $0.way = .data }, { $0.lateEnding = .close }, { $0.amount = 0 },
        ] as [(inout Plan) -> Void] {
            _ = try replace(index, ending, change)
        }
        var size = plans[index].bytes.count / 2
        while size > 0 {
            var start = 0
            while start < plans[index].bytes.count, ContinuousClock.now < deadline {
                let end = min(start + size, plans[index].bytes.count)
                let isSmaller = try replace(index, ending) { plan in
                    plan.bytes.removeSubrange(start..<end)
                    let left = plan.bytes.count
                    plan.cuts = plan.cuts.map { $0 <= start ? $0 : max(start, $0 - (end - start)) }
                    plan.cuts = Set(plan.cuts.map { min($0, left) } + [left]).filter { $0 > 0 || left == 0 }.sorted()
                }
                if !isSmaller { start += size }
            }
            size /= 2
        }
    }

    private mutating func replace(
        _ index: Int,
        _ ending: Supervisor.Ending,
        _ change: (inout Plan) -> Void
    ) throws -> Bool {
        guard ContinuousClock.now < deadline else { return false }
        var changed = plans
        change(&changed[index])
        guard try self.ending(changed) == ending else { return false }
        plans = changed
        return true
    }

    /// How the program ends with some exchanges; `nil` if it finds nothing.
    private func ending(_ plans: [Plan]) throws -> Supervisor.Ending? {
        try plans.map(Script.text).joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
        let ending = try Supervisor.start(["--file", path], isSilent: true)
        return ending == .exit(0) ? nil : ending
    }
}
#endif
