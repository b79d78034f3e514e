import PiuPiuFutures

/// Chains of thousands of links: what is done link by link must not need the stack for all of them.
enum LongChains {
    /// How long they are, in operators.
    static let length = 10_000

    /// The operators to make them of.
    ///
    /// An action runs on the thread of its caller. One that starts another future in turn needs the stack for all of them.
    static let operators = Operator.all.filter { link in
        ![.fulfill, .fulfillWith, .fulfillBy, .completeWith].contains(link.api)
    }

    enum Treatment: String, CaseIterable {
        case dropped, cancelledUnsent, sentAndCancelled, cancelledWhileItRuns, sourceCancelled, fetched
    }

    /// Treats a chain.
    ///
    /// - Parameters:
    ///   - treatment: What is done to it.
    ///   - links: Its operators, which come in turn.
    ///   - stage: The stage, with closed gates.
    /// - Returns: What was not as expected.
    static func walk(_ treatment: Treatment, _ links: [Operator], on stage: Stage) async -> String? {
        stage.otherGate.open()
        var future = stage.source()
        for index in 0..<length { future = links[index % links.count].step(future, stage) }
        switch treatment {
        case .dropped: return nil
        case .fetched:
            stage.gate.open()
            let value = try? await future.fetchResult()
            return value == Stage.value ? nil : "\(String(describing: value))"
        case .cancelledUnsent, .sentAndCancelled, .cancelledWhileItRuns, .sourceCancelled: break
        }
        future = stage.watch(future)
        if treatment != .cancelledUnsent { future.send() }
        if treatment == .cancelledWhileItRuns || treatment == .sourceCancelled { await stage.gate.arrival() }
        if treatment == .sourceCancelled { stage.cancelSource() } else { future.cancel() }
        await stage.completions.reach(1)
        return stage.log == ["cancellation", "completion"] ? nil : "\(stage.log)"
    }
}
