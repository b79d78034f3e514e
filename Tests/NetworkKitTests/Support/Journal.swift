import Foundation
import PiuPiuAsync

/// Takes down what callbacks tell, and on which thread, so that a test can wait for it.
final class Journal: Sendable {
    private struct State {
        var entries: [String] = []
        var offMain: [String] = []
        var waiters: [(entry: String, count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        func count(_ entry: String) -> Int { entries.filter { $0 == entry }.count }
    }

    private let state = Locked(State())

    /// Everything that was taken down, in order.
    var entries: [String] { state.withLock { $0.entries } }

    /// What was not taken down on the main thread.
    var offMain: [String] { state.withLock { $0.offMain } }

    /// Takes something down.
    func callAsFunction(_ items: Any...) {
        let entry = items.map { "\($0)" }.joined(separator: " ")
        let isMain = DispatchQueue.isMain
        let due = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.entries.append(entry)
            if !isMain { state.offMain.append(entry) }
            let due = state.waiters.filter { state.count($0.entry) >= $0.count }.map { $0.continuation }
            let current = state
            state.waiters.removeAll { current.count($0.entry) >= $0.count }
            return due
        }
        for waiter in due { waiter.resume() }
    }

    /// Waits until something was taken down.
    ///
    /// - Parameters:
    ///   - entry: What to wait for.
    ///   - count: How often it has to have been taken down.
    /// - Returns: Everything that was taken down, in order.
    @discardableResult
    func wait(for entry: String = "completion", _ count: Int = 1) async -> [String] {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state -> Bool in
                if state.count(entry) >= count { return true }
                state.waiters.append((entry, count, continuation))
                return false
            }
            if isDue { continuation.resume() }
        }
        return entries
    }
}

extension DispatchQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the main queue runs this; on Linux, it need not do so on the first thread of the process.
    static var isMain: Bool { getSpecific(key: key) == true }
}

extension MainActor {
    /// Returns when whatever was sent to the main actor has run.
    static func drain() async {
        for _ in 0..<3 {
            await Task { @MainActor in }.value
            await Task.yield()
        }
    }
}

/// A dispatcher of PiuPiuAsync for tests: no proxy.
func plainDispatcher() -> URLRequestDispatcher {
    var configuration = URLRequestDispatcher.Configuration()
    configuration.transport.proxy = .none
    return URLRequestDispatcher(configuration: configuration)
}
