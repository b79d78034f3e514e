#if os(Linux)
import CShims
import Synchronization

/// The shared state of all connections with the same loaded settings: OpenSSL's context, and the sessions to resume.
///
/// Threads may share it: OpenSSL counts references atomically, and nothing changes the context after it was loaded.
package final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer
    let settings: TLSSettings
    private let trust: TLSTrust?
    private let sessions = Mutex(TLSSessionCache())

    /// Loads settings.
    ///
    /// This reads files and takes milliseconds.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - trust: The authorities; `nil` only if nothing is verified.
    /// - Throws: A report of the part that cannot be loaded.
    init(_ settings: TLSSettings, trust: TLSTrust?) throws(TLSReport) {
        cs_ERR_clear_error()
        guard let method = cs_TLS_client_method(), let pointer = cs_SSL_CTX_new(method) else {
            throw .failedCall(.none, "OpenSSL has no memory for a context")
        }
        self.pointer = pointer
        self.settings = settings
        self.trust = trust
        // From here on, the context is freed if an error is thrown.
        cs_link_observe(pointer, settings.verifiesServer)
        cs_log_keys(pointer)
        try setUsualRules()
        try setVersions()
        try setCiphers()
        if settings.verifiesServer { try setTrust() }
        if let identity = settings.identity { try setIdentity(identity) }
    }

    deinit { cs_SSL_CTX_free(pointer) }

    /// Creates the TLS session of one connection.
    ///
    /// - Parameters:
    ///   - host: The DNS name or IP address that the server's certificate must be for, without brackets and zone.
    ///   - origin: The key of resumed sessions: sessions never reach another origin.
    ///   - descriptor: The connected, non-blocking socket. The caller still owns it, and closes it after the session is gone.
    ///   - input: The input memory of the connection's loop.
    ///   - protocols: The protocols to offer (ALPN); `nil` for those of the settings.
    /// - Returns: The session. Only the loop's thread may use it.
    /// - Throws: A report if the host is unusable, or OpenSSL refuses a setting.
    package func session(
        host: String,
        origin: String,
        descriptor: Int32,
        input: TLSInput,
        protocols: [String]? = nil
    ) throws(TLSReport) -> TLSSession {
        cs_ERR_clear_error()
        return try TLSSession(
            context: self,
            host: host,
            origin: origin,
            descriptor: descriptor,
            input: input,
            protocols: protocols ?? settings.applicationProtocols
        )
    }

    // MARK: Sessions

    /// Whether sessions are resumed.
    ///
    /// A resumed session would keep its original certificate even if the file has been replaced.
    private var resumesSessions: Bool { settings.identity?.isInFiles != true }

    func takeSession(of origin: String) -> ResumableSession? {
        resumesSessions ? sessions.withLock { $0.take(origin) } : nil
    }

    func keep(_ session: ResumableSession, of origin: String) {
        guard resumesSessions, session.isResumable else { return }
        // Evicted sessions are freed after unlocking.
        let evicted = sessions.withLock { $0.add(session, origin) }
        withExtendedLifetime(evicted) {}
    }

    func forgetSessions(of origin: String) {
        let removed = sessions.withLock { $0.remove(origin) }
        withExtendedLifetime(removed) {}
    }

    // MARK: Setting up

    private func control(_ command: Int, _ number: Int, _ object: OpaquePointer? = nil) -> Int {
        cs_SSL_CTX_ctrl(pointer, Int32(command), number, object.map { UnsafeMutableRawPointer($0) })
    }

    private func setUsualRules() throws(TLSReport) {
        let modes = Int(CS_SSL_MODES)
        let cache = Int(CS_SSL_SESS_CACHE_CLIENT_ONLY)
        // Setting the mode of the cache returns the previous one.
        _ = control(Int(CS_SSL_CTRL_SET_SESS_CACHE_MODE), cache)
        guard control(Int(CS_SSL_CTRL_MODE), modes) & modes == modes,
            control(Int(CS_SSL_CTRL_GET_SESS_CACHE_MODE), 0) == cache,
            cs_openssl_restrict(pointer)
        else { throw .failedCall(.none, "OpenSSL does not accept the usual rules") }
    }

    private func setVersions() throws(TLSReport) {
        guard control(Int(CS_SSL_CTRL_SET_MIN_PROTO_VERSION), settings.minimumVersion.rawValue) == 1 else {
            throw .failedCall(.none, "OpenSSL does not accept the minimum version")
        }
        guard let maximum = settings.maximumVersion else { return }
        guard control(Int(CS_SSL_CTRL_SET_MAX_PROTO_VERSION), maximum.rawValue) == 1 else {
            throw .failedCall(.none, "OpenSSL does not accept the maximum version")
        }
    }

    private func setCiphers() throws(TLSReport) {
        if let suites = settings.cipherSuites {
            guard cs_SSL_CTX_set_cipher_list(pointer, suites.joined(separator: ":")) == 1 else {
                throw .failedCall(.ciphers, "OpenSSL knows none of the cipher suites of TLS 1.2")
            }
        }
        if let suites = settings.tls13CipherSuites {
            guard cs_SSL_CTX_set_ciphersuites(pointer, suites.joined(separator: ":")) == 1 else {
                throw .failedCall(.ciphers, "OpenSSL does not know the cipher suites of TLS 1.3")
            }
        }
    }

    private func setTrust() throws(TLSReport) {
        guard let trust else { throw TLSReport(.authorities, "There are no authorities") }
        cs_SSL_CTX_set1_cert_store(pointer, trust.store)
        guard cs_SSL_CTX_get_cert_store(pointer) == trust.store else {
            throw .failedCall(.authorities, "OpenSSL does not accept the authorities")
        }
    }
}
#endif
