extension LoggingObserver {
    /// Writes a line to the standard error of the process, with the time and the level before it.
    ///
    ///     time=2026-11-23T23:51:05Z level=info event=exchange call=1 …
    ///
    /// Each line is one write to the system of at most 4096 bytes, so that lines of other threads and processes do not mix with it.
    /// A longer line, which only bodies make, is cut off.
    /// If the reader of a pipe stands still, the write waits for it, and with it the thread on which the event happened.
    public static let standardError: @Sendable (Level, String) -> Void = { level, line in
        write(line, level, at: Date(), to: STDERR_FILENO)
    }

    /// The number of bytes that a pipe of Linux takes without mixing them with others (`PIPE_BUF`).
    private static let atomicSize = 4096

    /// Writes a line.
    ///
    /// - Parameters:
    ///   - line: The line, without its end.
    ///   - level: Its level.
    ///   - date: The time.
    ///   - descriptor: A file, a pipe or a terminal.
    static func write(_ line: String, _ level: Level, at date: Date, to descriptor: Int32) {
        let time = RFC3339.string(from: date).map { "time=\($0) " } ?? ""
        var bytes = Array("\(time)level=\(level) \(line)".utf8)
        if bytes.count >= atomicSize {
            var end = atomicSize - 1
            // Not within a scalar.
            while bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes.removeSubrange(end...)
        }
        bytes.append(0x0A)
        // Nobody can be told of a failure, and the rest of a line must not follow other lines.
        bytes.withUnsafeBytes { bytes in
            while Foundation.write(descriptor, bytes.baseAddress, bytes.count) < 0, errno == EINTR {}
        }
    }
}
