import PiuPiuFutures

/// The progress of a chain: the sum of the progress of its parts, each with the same weight.
struct ProgressSum: Sendable {
    /// Identifies the progress of futures that were not created from an action.
    static let unknownID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private let parts: Int
    private var fractions: [UUID: Double] = [:]
    private var sum: Float = 0

    /// Creates a sum of a number of parts.
    init(parts: Int) {
        self.parts = parts
    }

    /// Adds the progress of a request or an action, and returns the total from 0 to 1; `nil` if it has not grown.
    mutating func update(_ task: TransferTask) -> Float? {
        guard let fraction = task.progress.fractionCompleted else { return nil }
        fractions[task.id] = max(fraction, fractions[task.id] ?? 0)
        // There can be more requests than parts, for example in the action of a future.
        let whole = Double(max(parts, fractions.count, 1))
        let next = Float(fractions.values.reduce(0, +) / whole)
        guard next > sum else { return nil }
        sum = next
        return next
    }
}
