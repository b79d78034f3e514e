#if os(Linux)
import CShims
import Foundation
import PiuPiuEngine

/// A connection of the engine's TLS, driven by `poll`.
final class TestClient {
    /// Why a test cannot go on.
    struct Timeout: Error {}

    let session: TLSSession
    private let descriptor: Int32
    /// The connection that this one lies on.
    private let lower: TestClient?

    /// Begins a connection; the handshake is not begun.
    ///
    /// - Parameters:
    ///   - descriptor: The socket, which is closed with this.
    ///   - context: The settings.
    ///   - host: The server's name.
    ///   - origin: The key of resumed sessions.
    ///   - input: The memory to receive into.
    /// - Throws: A report if the host is unusable.
    init(
        _ descriptor: Int32,
        _ context: TLSContext,
        host: String = "localhost",
        origin: String = "https://localhost",
        input: TLSInput = TLSInput()
    ) throws(TLSReport) {
        self.descriptor = descriptor
        lower = nil
        do {
            session = try context.session(host: host, origin: origin, descriptor: descriptor, input: input)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Begins a connection within another one, whose handshake is done.
    ///
    /// - Parameters:
    ///   - lower: The other one.
    ///   - context: The settings.
    ///   - host: The server's name.
    /// - Throws: A report if the host is unusable.
    init(over lower: TestClient, _ context: TLSContext, host: String = "localhost") throws(TLSReport) {
        descriptor = lower.descriptor
        self.lower = lower
        session = try context.session(host: host, origin: "https://inner", over: lower.session)
    }

    deinit { if lower == nil { close(descriptor) } }

    /// Waits until the socket is readable, or writable.
    ///
    /// - Parameter writes: Whether it has to be writable.
    /// - Throws: ``Timeout`` after five minutes.
    func wait(writes: Bool) throws {
        var entry = pollfd(fd: descriptor, events: Int16(writes ? POLLOUT : POLLIN), revents: 0)
        var result: Int32
        repeat { result = poll(&entry, 1, 300_000) } while result < 0 && errno == EINTR
        guard result > 0 else { throw Timeout() }
    }

    /// Completes the handshake.
    ///
    /// - Returns: Why it failed; `nil` if it did not.
    func handshake() throws -> ChannelFailure? {
        while true {
            switch session.handshake() {
            case .done: return nil
            case .failed(let failure): return failure
            case .wouldBlock(let writes): try wait(writes: writes)
            }
        }
    }

    /// Reads up to a number of bytes.
    ///
    /// - Parameter count: The number.
    /// - Returns: The bytes, and why there are no more; `nil` if there are so many.
    /// - Throws: ``Timeout``.
    func read(_ count: Int) throws -> (bytes: [UInt8], end: IOResult?) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while bytes.count < count {
            let room = min(buffer.count, count - bytes.count)
            let result = buffer.withUnsafeMutableBytes {
                session.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<room]))
            }
            switch result {
            case .bytes(let filled): bytes += buffer[..<filled]
            case .wouldBlock: try wait(writes: false)
            case .wouldBlockOpposite: try wait(writes: true)
            case .end, .failed: return (bytes, result)
            }
        }
        return (bytes, nil)
    }

    /// Writes all bytes.
    ///
    /// - Returns: Why that failed; `nil` if it did not.
    func write(_ bytes: [UInt8]) throws -> ChannelFailure? {
        var written = 0
        while written < bytes.count {
            let result = bytes.withUnsafeBytes { session.write(UnsafeRawBufferPointer(rebasing: $0[written...])) }
            switch result {
            case .bytes(let count): written += count
            case .wouldBlock: try wait(writes: true)
            case .wouldBlockOpposite: try wait(writes: false)
            case .end: return .cutOff
            case .failed(let failure): return failure
            }
        }
        return nil
    }
}

extension ChannelFailure {
    /// The report; `nil` if the failure is none of TLS.
    var report: TLSReport? { if case .tls(let report) = self { report } else { nil } }

    var isCutOff: Bool { if case .cutOff = self { true } else { false } }
}

extension IOResult {
    var isEnd: Bool { if case .end = self { true } else { false } }

    var failure: ChannelFailure? { if case .failed(let failure) = self { failure } else { nil } }
}

extension TLSSettings {
    /// Settings that trust the tests' authority, in memory.
    static func trusting(
        _ files: TestCertificates,
        _ change: (inout TLSSettings) throws -> Void = { _ in }
    ) throws -> TLSSettings {
        var settings = TLSSettings()
        settings.authorities.certificates = [try files.bytes("root.pem")]
        try change(&settings)
        return settings
    }

    /// Loads the settings.
    func load() throws(TLSReport) -> TLSContext { try TLSProvider(self).load(now: 0) }
}
#endif
