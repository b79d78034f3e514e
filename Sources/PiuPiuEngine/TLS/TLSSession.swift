#if os(Linux)
import CShims

/// The TLS session of one connection.
///
/// | State | `handshake()` | `read`, `write` | becomes |
/// |---|---|---|---|
/// | shaking hands | continues | fail | open after `.done`, broken after `.failed` |
/// | open | `.done` | work | broken after a read failed |
/// | broken | the failure | the failure | — |
///
/// `.done` means that every check has passed: the chain, the name, the stapled status, and the pins. Only the thread of the
/// connection's loop may use it. The loop's epoll must be level-triggered: a call that received enough stops, even if the
/// socket has more.
///
/// A session can run over another one in place of the socket, as for a server behind a proxy that is reached over TLS: see
/// ``TLSContext/session(host:origin:over:)``.
package final class TLSSession {
    /// The result of an attempt to continue the handshake.
    package enum Handshake {
        /// The handshake is complete, and the server's identity is verified.
        case done
        /// Nothing can be done before the socket is writable (`writes`) or readable.
        case wouldBlock(writes: Bool)
        case failed(ChannelFailure)
    }

    private enum State {
        case shakingHands
        case open
        case broken(ChannelFailure)
    }

    let ssl: OpaquePointer
    let link: UnsafeMutablePointer<cs_link>
    let context: TLSContext
    private let origin: String
    let offeredProtocols: [String]
    // The link receives into this memory.
    let input: TLSInput
    /// The session below this one; `nil` if this one uses the socket itself.
    let lower: TLSSession?
    /// Why the session below failed; `nil` if it did not.
    var failureBelow: ChannelFailure?
    private var state = State.shakingHands
    private var hasOfferedSession = false
    private var hasUnfinishedWrite = false

    /// Creates a session; see ``TLSContext/session(host:origin:descriptor:input:protocols:)`` and
    /// ``TLSContext/session(host:origin:over:protocols:)``.
    init(
        context: TLSContext,
        host: String,
        origin: String,
        descriptor: Int32,
        input: TLSInput,
        protocols: [String],
        lower: TLSSession? = nil
    ) throws(TLSReport) {
        let host = TLSHost(host)
        guard host != nil || !context.settings.verifiesServer else {
            throw TLSReport(.name, "No certificate can be issued for the host's name")
        }
        guard let memory = input.pointer, let link = cs_link_create(descriptor, memory) else {
            throw TLSReport(.none, "There is no memory for a TLS connection")
        }
        guard let ssl = cs_SSL_new(context.pointer) else {
            cs_link_free(link)
            throw .failedCall(.none, "OpenSSL has no memory for a connection")
        }
        self.ssl = ssl
        self.link = link
        self.context = context
        self.origin = origin
        self.input = input
        offeredProtocols = protocols
        self.lower = lower
        // From here on, both are freed if an error is thrown.
        guard cs_link_attach(link, ssl) else { throw .failedCall(.none, "OpenSSL does not accept the connection") }
        if lower != nil { layLink() }
        cs_SSL_set_connect_state(ssl)
        if let host { try expect(host) }
        try askForStatus()
        try offerProtocols()
        if let session = context.takeSession(of: origin) {
            // Without it, the handshake is a full one.
            hasOfferedSession = cs_SSL_set_session(ssl, session.pointer) == 1
        }
    }

    deinit {
        cs_SSL_free(ssl)
        cs_link_free(link)
    }

    // MARK: Handshake, reading and writing

    /// Continues the handshake.
    package func handshake() -> Handshake {
        switch state {
        case .open: return .done
        case .broken(let failure): return .failed(failure)
        case .shakingHands: break
        }
        prepareCall()
        let result = cs_SSL_do_handshake(ssl)
        guard result == 1 else {
            switch verdict(result) {
            case .wantsRead: return .wouldBlock(writes: false)
            case .wantsWrite: return .wouldBlock(writes: true)
            // A server has no reason to end a connection cleanly during the handshake.
            case .closed: return .failed(fail(with: .cutOff))
            case .failed(let failure): return .failed(fail(with: failure))
            }
        }
        if let report = refusal() { return .failed(fail(with: .tls(report))) }
        state = .open
        keepSessions()
        return .done
    }

    /// Reads decrypted bytes, at most those of one record.
    ///
    /// With TLS 1.3, the refusal of a client's certificate arrives here, after the handshake. The result is `.bytes(0)` only
    /// for an empty buffer.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        prepareCall()
        return receive(into: buffer)
    }

    /// Reads within a prepared call.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        if let failure = unusable { return .failed(failure) }
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return .bytes(0) }
        let result = cs_SSL_read(ssl, start, Int32(clamping: buffer.count))
        if link.pointee.session_count > 0 { keepSessions() }
        if result > 0 { return .bytes(Int(result)) }
        switch verdict(result) {
        case .wantsRead: return .wouldBlock
        case .wantsWrite: return .wouldBlockOpposite
        case .closed: return .end
        case .failed(let failure): return .failed(fail(with: failure))
        }
    }

    /// Encrypts and sends bytes, at most those of one record.
    ///
    /// After `.wouldBlock` or `.wouldBlockOpposite`, the next write must begin with the same bytes, and have at least as many,
    /// because their record is encrypted already. They may be elsewhere in memory.
    ///
    /// If sending fails because the server has closed the connection, reading still works: earlier bytes of the server, such as
    /// an alert or an early response, may have arrived. The result is `.bytes(0)` only for no bytes.
    package func write(_ bytes: UnsafeRawBufferPointer) -> IOResult {
        prepareCall()
        return send(bytes)
    }

    /// Writes within a prepared call.
    func send(_ bytes: UnsafeRawBufferPointer) -> IOResult {
        if let failure = unusable { return .failed(failure) }
        guard link.pointee.write_error == 0 else { return .failed(.system(link.pointee.write_error)) }
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return .bytes(0) }
        let result = cs_SSL_write(ssl, start, Int32(clamping: bytes.count))
        hasUnfinishedWrite = result <= 0
        if result > 0 { return .bytes(Int(result)) }
        switch verdict(result) {
        case .wantsRead: return .wouldBlockOpposite
        case .wantsWrite: return .wouldBlock
        case .closed: return .failed(fail(with: .cutOff))
        case .failed(.system(let error)) where error == link.pointee.write_error: return .failed(.system(error))
        case .failed(let failure): return .failed(fail(with: failure))
        }
    }

    /// Whether bytes were taken from the socket and not read yet, so epoll does not report them.
    ///
    /// They may be part of a record, for which a read returns `.wouldBlock`.
    package var hasPendingBytes: Bool {
        cs_link_unread(link) > 0 || cs_SSL_has_pending(ssl) == 1 || lower?.hasPendingBytes == true
    }

    /// Whether the last receive did not fill its buffer, and all of its bytes were read.
    var isDrained: Bool { link.pointee.is_drained && !hasPendingBytes }

    /// Tells the server that nothing more is sent, if that is possible without waiting.
    ///
    /// Without this, OpenSSL does not resume the connection's session if it uses TLS 1.2.
    package func sendCloseNotify() {
        guard case .open = state, !hasUnfinishedWrite, link.pointee.write_error == 0 else { return }
        prepareCall()
        // A failure does not matter, because the socket is closed next.
        _ = cs_SSL_shutdown(ssl)
        lower?.sendCloseNotify()
    }

    // MARK: The agreed parameters

    /// The protocol that the server chose (ALPN); `nil` if it chose none.
    package var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        cs_SSL_get0_alpn_selected(ssl, &name, &count)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    /// Whether this connection resumed a session of an earlier one.
    package var isResumed: Bool { cs_SSL_session_reused(ssl) == 1 }

    /// The version of TLS; `nil` before it was agreed.
    package var version: TLSSettings.Version? { TLSSettings.Version(rawValue: Int(cs_SSL_version(ssl))) }

    // MARK: Details

    /// Why nothing can be read or written; `nil` if it can.
    var unusable: ChannelFailure? {
        switch state {
        case .open: nil
        case .shakingHands: .tls(TLSReport(.none, "The TLS handshake is not complete"))
        case .broken(let failure): failure
        }
    }

    /// Sets the number of receives that one call may do, for all sessions together.
    private func prepareCall() {
        lower?.prepareCall()
        link.pointee.receives = Int32(CS_LINK_RECEIVES)
        // After a whole record, ask again whether more has arrived: the connection may have ended.
        if link.pointee.is_drained, !hasPendingBytes { link.pointee.is_drained = false }
        // The queue belongs to the thread. An error from another connection would look like an error of this call.
        cs_ERR_clear_error()
    }

    private func fail(with failure: ChannelFailure) -> ChannelFailure {
        if case .shakingHands = state, hasOfferedSession { context.forgetSessions(of: origin) }
        state = .broken(failure)
        return failure
    }

    private func keepSessions() {
        while let session = cs_link_take_session(link) { context.keep(ResumableSession(session), of: origin) }
    }
}
#endif
