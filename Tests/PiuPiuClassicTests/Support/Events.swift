import PiuPiuClassic

extension ResponseFuture {
    /// Sets all handlers of the future, which take down what they are told and whether that is on the main thread.
    func recorded(in journal: Journal, _ name: String = "") -> ResponseFuture<T> {
        progress({ _ in if !MainThread.isCurrent { journal("\(name)progress off the main thread") } })
            .response({ journal("\(name)response", $0, MainThread.isCurrent) })
            .error({ journal("\(name)error", $0, MainThread.isCurrent) })
            .cancellation({ journal("\(name)cancellation", MainThread.isCurrent) })
            .completion({ journal("\(name)completion", MainThread.isCurrent) })
    }

    /// Sends the future from the main thread, and returns what its handlers took down.
    func eventsFromMain(_ journal: Journal = Journal()) async -> [String] {
        let future = recorded(in: journal)
        await MainThread.run { future.send() }
        return await journal.wait(for: "completion true")
    }

    /// Sends the future, and returns what its handlers took down.
    func events(_ journal: Journal = Journal()) async -> [String] {
        recorded(in: journal).send()
        return await journal.wait(for: "completion true")
    }
}

struct Failure: Error, CustomStringConvertible {
    var description = "failure"
}
