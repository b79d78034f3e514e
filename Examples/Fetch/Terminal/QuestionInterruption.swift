import PiuPiuAsync

/// Takes the signals that end or stop the process during a question, but for those that ``Interruption`` takes.
///
/// Their handlers write the number into a pipe, by which a thread that waits for the terminal learns of them, whichever thread
/// the system runs them on.
struct QuestionInterruption {
    private static let numbers = [SIGHUP, SIGQUIT, SIGTSTP]
    // `nonisolated(unsafe)` is sound because there is one question at a time, and it is set while no handler is installed. A
    // handler that another thread still runs then writes to no descriptor.
    /// The pipe's end that the handlers write to.
    nonisolated(unsafe) private static var writer: Int32 = -1

    private let pipe: (reader: Int32, writer: Int32)
    private let terminal: Int32
    /// What was done with the signals before.
    private var actions: [(number: Int32, action: sigaction)] = []

    /// Takes the signals; `nil` if there are no descriptors left.
    init?(_ terminal: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        pipe = (ends[0], ends[1])
        self.terminal = terminal
        guard max(terminal, pipe.reader) < MemoryLayout<fd_set>.size * 8 else {
            ends.forEach { _ = close($0) }
            return nil
        }
        Self.writer = pipe.writer
        // Threads of queues block them. In the background, SIGTTOU and SIGTTIN stop the process.
        var set = sigset_t()
        sigemptyset(&set)
        for number in Self.numbers + [SIGTTOU, SIGTTIN] { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        for number in Self.numbers where !Signals.isIgnored(number) {
            var action = sigaction()
            sigaction(number, nil, &action)
            actions.append((number, action))
            signal(number) { number in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(QuestionInterruption.writer, &byte, 1)
                errno = saved
            }
        }
    }

    /// Waits until the terminal has something to read.
    ///
    /// - Returns: `false` if a signal came before.
    func allowsReading() -> Bool {
        while true {
            // Not `poll`, which knows no terminals on macOS.
            var set = fd_set()
            withUnsafeMutableBytes(of: &set) { bytes in
                for descriptor in [terminal, pipe.reader] {
                    bytes[Int(descriptor) / 8] |= 1 << UInt8(descriptor % 8)
                }
            }
            let count = select(max(terminal, pipe.reader) + 1, &set, nil, nil, nil)
            if count < 0, errno == EINTR { continue }
            return withUnsafeBytes(of: set) { count > 0 && $0[Int(pipe.reader) / 8] & 1 << UInt8(pipe.reader % 8) == 0 }
        }
    }

    /// Gives the signals back.
    ///
    /// - Returns: The first one that came; `nil` for none.
    func end() -> Int32? {
        for (number, before) in actions {
            var action = before
            sigaction(number, &action, nil)
        }
        var byte: UInt8 = 0
        let came = read(pipe.reader, &byte, 1) == 1
        Self.writer = -1
        close(pipe.reader)
        close(pipe.writer)
        return came ? Int32(byte) : nil
    }
}
