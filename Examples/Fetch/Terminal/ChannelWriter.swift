import Foundation

/// Writes to a device, a pipe or a descriptor, as it comes.
final class ChannelWriter {
    let descriptor: Int32
    private let isOpened: Bool

    private init(_ descriptor: Int32, isOpened: Bool) {
        self.descriptor = descriptor
        self.isOpened = isOpened
    }

    deinit {
        if isOpened { close(descriptor) }
    }

    /// Opens a channel.
    ///
    /// A pipe without a reader is waited for.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - path: What the user calls it.
    ///   - deadline: When to give up; `nil` for never.
    /// - Returns: The writer.
    /// - Throws: ``FetchError``, or `CancellationError`.
    static func open(
        _ channel: Place.Channel,
        _ path: String,
        until deadline: ContinuousClock.Instant? = nil
    ) async throws -> ChannelWriter {
        guard case .path(let name) = channel else {
            guard case .descriptor(let descriptor) = channel else { throw failure(EBADF, path) }
            return ChannelWriter(descriptor, isOpened: false)
        }
        while true {
            // Without waiting, because nothing could end that.
            let descriptor = Foundation.open(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            if descriptor >= 0 { return ChannelWriter(descriptor, isOpened: true) }
            let number = errno
            if number == EINTR { continue }
            guard number == ENXIO, isPipe(name) else { throw failure(number, path) }
            if let deadline, deadline <= .now {
                throw FetchError(.timeout, "Nobody reads \(SafeText.line(path)).")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Writes bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - path: What the user calls the channel.
    /// - Throws: ``FetchError``, or `CancellationError`.
    func write(_ bytes: some Collection<UInt8>, _ path: String) throws {
        let number = Output.write(bytes, to: descriptor, stopsIfCancelled: true)
        if number == ECANCELED { throw CancellationError() }
        if number != 0 { throw Self.failure(number, path) }
    }

    private static func failure(_ number: Int32, _ path: String) -> FetchError {
        let reason = number == EPIPE ? "its reader has gone" : String(cString: strerror(number))
        return FetchError(.notWritten, "\(SafeText.line(path)) cannot be written: \(reason).")
    }

    private static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
}
