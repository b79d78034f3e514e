import Foundation

/// Prints: results to standard output, and everything about the way there to standard error.
enum Output {
    /// Prints a result.
    static func result(_ text: String) {
        _ = write(Array((SafeText.lines(text) + "\n").utf8), to: STDOUT_FILENO)
    }

    /// Prints something to standard error.
    static func note(_ text: String) {
        _ = write(Array((SafeText.lines(text) + "\n").utf8), to: STDERR_FILENO)
    }

    /// Prints a failure, in one line, and what to do about it.
    static func problem(_ failure: FetchError) {
        let text = SafeText.lines(failure.text).replacing(#/\s*\n\s*/#, with: " ")
        note("Fetch: \(text)" + (failure.advice.map { "\n       \($0)" } ?? ""))
    }

    /// Writes bytes as they are.
    ///
    /// Nothing is held back, so that the two outputs come in order if they go to one place.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - descriptor: Where to.
    ///   - stopsIfCancelled: Whether a reader that takes nothing is no longer waited for when the task is cancelled.
    /// - Returns: 0, or the system's error number if they cannot be written; `ECANCELED` if the task was cancelled.
    static func write(
        _ bytes: some Collection<UInt8>,
        to descriptor: Int32,
        stopsIfCancelled: Bool = false
    ) -> Int32 {
        var rest = ArraySlice(bytes)
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // It is a pipe that was opened so, or another program has made the terminal or pipe non-blocking.
                if stopsIfCancelled, Task.isCancelled { return ECANCELED }
                var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&event, 1, stopsIfCancelled ? 100 : -1)
                continue
            }
            guard count > 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}
