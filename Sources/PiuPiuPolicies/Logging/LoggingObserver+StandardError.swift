extension LoggingObserver {
    /// Writes a line to the standard error of the process, preceded by the time and the level.
    ///
    ///     time=2026-11-23T23:51:05Z level=info event=exchange call=1 …
    ///
    /// Each line is one write of at most 4096 bytes, so that it does not mix with lines of other threads and processes. A
    /// longer line, which only bodies cause, is truncated. If the reader of a pipe stops reading, the write blocks, and with it
    /// the thread of the event.
    public static let standardError: @Sendable (Level, String) -> Void = { level, line in
        write(line, level, at: Date(), to: STDERR_FILENO)
    }

    /// The number of bytes that Linux writes to a pipe without mixing them with others (`PIPE_BUF`).
    private static let atomicSize = 4096

    /// Writes a line, which has no line end, to a file, a pipe or a terminal.
    static func write(_ line: String, _ level: Level, at date: Date, to descriptor: Int32) {
        let time = RFC3339.string(from: date).map { "time=\($0) " } ?? ""
        var bytes = Array("\(time)level=\(level) \(line)".utf8)
        if bytes.count >= atomicSize {
            var end = atomicSize - 1
            // Don't truncate within a scalar.
            while bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes.removeSubrange(end...)
        }
        bytes.append(0x0A)
        // There is no way to report a failure, and the rest of a line must not follow other lines.
        bytes.withUnsafeBytes { bytes in
            while Foundation.write(descriptor, bytes.baseAddress, bytes.count) < 0, errno == EINTR {}
        }
    }
}
