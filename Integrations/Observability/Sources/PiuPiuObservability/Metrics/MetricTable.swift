/// Metrics with the same name and different labels, no more than a limit allows.
final class MetricTable<Labels: Hashable & Sendable, Metric: Sendable>: Sendable {
    private struct State {
        var metrics: [Labels: Metric] = [:]
        /// The labels that have a metric, or will have one soon.
        var taken: Set<Labels>
    }

    private let maximum: Int
    private let other: Labels
    private let state: Protected<State>

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - maximum: The number of metrics; at least one is made.
    ///   - other: The labels that stand for all others once there are too many.
    init(maximum: Int, other: Labels) {
        self.maximum = maximum
        self.other = other
        // Its place is taken from the beginning.
        state = Protected(State(taken: [other]))
    }

    /// Returns the metric with certain labels, or with those that stand for all others if there are too many.
    ///
    /// - Parameters:
    ///   - labels: The labels.
    ///   - make: Makes a metric. Two threads may make the same one at the same time; one of them is kept.
    /// - Returns: The metric.
    func metric(_ labels: Labels, make: (Labels) -> Metric) -> Metric {
        let (found, labels): (Metric?, Labels) = state.withLock { state in
            if let found = state.metrics[labels] { return (found, labels) }
            if !state.taken.contains(labels) {
                guard state.taken.count < maximum else { return (state.metrics[other], other) }
                state.taken.insert(labels)
            }
            return (nil, labels)
        }
        if let found { return found }
        let made = make(labels)
        return state.withLock { state in
            if let found = state.metrics[labels] { return found }
            state.metrics[labels] = made
            return made
        }
    }
}
