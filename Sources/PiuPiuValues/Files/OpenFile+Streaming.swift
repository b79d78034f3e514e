// Pipes and devices: written from beginning to end, at the pace of the reader.
extension OpenFile {
    /// How long a caller sleeps before it tries again.
    private static let pause = Duration.milliseconds(5)

    /// Opens a pipe or a device for writing; waits for the reader of a pipe, without occupying a thread.
    package static func streaming(to url: URL) async throws -> OpenFile {
        while true {
            if let file = try openStream(url) { return file }
            try await Task.sleep(for: pause)
        }
    }

    /// Writes all bytes, and waits for the reader without occupying a thread; throws ``TransferError`` if the reader is gone.
    package func stream(_ data: Data) async throws {
        var rest = data
        while !rest.isEmpty {
            let count = try streamNext(rest)
            rest = rest.dropFirst(count)
            if count == 0 { try await Task.sleep(for: Self.pause) }
        }
    }

    /// Writes all bytes to a pipe or a device in the calling thread; throws if nothing is read for the time of `patience`.
    package static func stream(_ data: Data, to url: URL, patience: Duration = .seconds(10)) throws {
        var file: OpenFile?
        var rest = data
        var start = ContinuousClock.now
        while file == nil || !rest.isEmpty {
            var count = 0
            if let file {
                count = try file.streamNext(rest)
                rest = rest.dropFirst(count)
            } else {
                file = try openStream(url)
            }
            if count > 0 { start = .now }
            guard count == 0, file == nil || !rest.isEmpty else { continue }
            guard start.duration(to: .now) < patience else { throw error(file == nil ? ENXIO : ETIMEDOUT, url) }
            // A pipe does not signal that it has a reader. The calling thread is a file thread, and its wait is limited.
            usleep(5_000)
        }
    }

    /// Opens a pipe or a device; returns `nil` for a pipe without a reader.
    private static func openStream(_ url: URL) throws -> OpenFile? {
        do {
            // Append, to keep the bytes that the open descriptor has already written to its file.
            let file = try open(url, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_APPEND)
            file.streamed = 0
            #if canImport(Darwin)
            _ = fcntl(file.descriptor, F_SETNOSIGPIPE, 1)
            #endif
            return file
        } catch let error as TransferError where error.systemErrorNumber == ENXIO {
            var status = stat()
            guard stat(path(of: url), &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { throw error }
            return nil
        }
    }

    /// Writes as many bytes as there is room for, and returns their number; 0 if there is no room now.
    private func streamNext(_ data: Data) throws -> Int {
        let count = data.withUnsafeBytes { buffer in
            Self.retrying { Self.writeWithoutSignal(descriptor, buffer) }
        }
        guard count >= 0 else {
            guard errno == EAGAIN || errno == EWOULDBLOCK else { throw Self.error(errno, url) }
            return 0
        }
        guard count > 0 else { throw Self.error(ENOSPC, url) }
        streamed = (streamed ?? 0) + Int64(count)
        return count
    }

    /// Writes without the signal that ends a process if the pipe has no reader any more.
    private static func writeWithoutSignal(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        return Foundation.write(descriptor, buffer.baseAddress, buffer.count)
        #else
        var signals = sigset_t()
        var waiting = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        sigpending(&waiting)
        // A signal that was already pending belongs to other code.
        let isOurs = sigismember(&waiting, SIGPIPE) == 0
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        let result = Foundation.write(descriptor, buffer.baseAddress, buffer.count)
        let number = errno
        if result < 0, number == EPIPE, isOurs {
            var none = timespec()
            while sigtimedwait(&signals, nil, &none) < 0, errno == EINTR {}
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = number
        return result
        #endif
    }
}
