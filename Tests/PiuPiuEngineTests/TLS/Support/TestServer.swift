#if os(Linux)
import CShims
import Foundation
import PiuPiuEngine

/// Servers in this process, on threads of their own, behind socket pairs.
///
/// The functions of OpenSSL that only servers need are found by their names.
final class TestServer: @unchecked Sendable {
    /// What a server does.
    struct Options {
        /// The name of the certificate.
        var certificate = "good"
        /// The name of the chain, if it is another file.
        var chain: String?
        var minimum: TLSSettings.Version?
        var maximum: TLSSettings.Version?
        /// The cipher suites of TLS 1.2.
        var ciphers: String?
        /// Whether clients have to prove who they are.
        var wantsCertificate = false
        /// The name of the file of the response to staple.
        var status: String?
    }

    private let context: OpaquePointer
    /// The bytes to staple, for the callback.
    private let status: UnsafeMutableBufferPointer<UInt8>

    /// Sets a server up.
    init(_ options: Options = Options(), _ files: TestCertificates) throws {
        _ = try OpenSSLLibrary.shared.get()
        typealias Method = @convention(c) () -> OpaquePointer?
        typealias UseFile = @convention(c) (OpaquePointer, UnsafePointer<CChar>, Int32) -> Int32
        typealias UseChain = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> Int32
        typealias LoadTrust = @convention(c) (OpaquePointer, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> Int32
        typealias SetID = @convention(c) (OpaquePointer, UnsafePointer<CChar>, UInt32) -> Int32
        let method = try Self.find("TLS_server_method", Method.self)
        guard let method = method(), let context = cs_SSL_CTX_new(method) else { throw Failure("no context") }
        self.context = context
        let bytes = try options.status.map(files.bytes) ?? []
        status = .allocate(capacity: bytes.count)
        _ = status.initialize(from: bytes)
        let chain = files.path((options.chain ?? options.certificate) + ".pem")
        guard try Self.find("SSL_CTX_use_certificate_chain_file", UseChain.self)(context, chain) == 1,
            try Self.find("SSL_CTX_use_PrivateKey_file", UseFile.self)(
                context,
                files.path(options.certificate + ".key"),
                1
            ) == 1,
            // Sessions of clients that have certificates need it.
            try Self.find("SSL_CTX_set_session_id_context", SetID.self)(context, "test", 4) == 1
        else { throw Failure("the certificate cannot be used") }
        if let version = options.minimum { _ = cs_SSL_CTX_ctrl(context, 123, version.rawValue, nil) }
        if let version = options.maximum { _ = cs_SSL_CTX_ctrl(context, 124, version.rawValue, nil) }
        if let ciphers = options.ciphers, cs_SSL_CTX_set_cipher_list(context, ciphers) != 1 {
            throw Failure("no cipher")
        }
        if options.wantsCertificate {
            // SSL_VERIFY_PEER and SSL_VERIFY_FAIL_IF_NO_PEER_CERT
            cs_SSL_CTX_set_verify(context, 3, nil)
            let load = try Self.find("SSL_CTX_load_verify_locations", LoadTrust.self)
            guard load(context, files.path("root.pem"), nil) == 1 else { throw Failure("no authority") }
        }
        if !bytes.isEmpty { try staple() }
    }

    deinit {
        cs_SSL_CTX_free(context)
        status.deallocate()
    }

    /// An error of a server that cannot be set up.
    struct Failure: Error {
        init(_ reason: String) { self.reason = reason }
        var reason: String
    }

    private static func find<Function>(_ name: String, _ type: Function.Type) throws -> Function {
        guard let symbol = cs_openssl_symbol(name) else { throw Failure("\(name) is missing") }
        return unsafeBitCast(symbol, to: type)
    }

    private func staple() throws {
        typealias Callback = @convention(c) (OpaquePointer, UnsafeMutableRawPointer?) -> Int32
        typealias SetCallback = @convention(c) (OpaquePointer, Int32, Callback) -> Int
        // SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB and …_CB_ARG
        _ = try Self.find("SSL_CTX_callback_ctrl", SetCallback.self)(context, 63) { ssl, argument in
            typealias Allocate = @convention(c) (Int, UnsafePointer<CChar>, Int32) -> UnsafeMutableRawPointer?
            guard let argument, let allocate = try? TestServer.find("CRYPTO_malloc", Allocate.self) else { return 2 }
            let server = Unmanaged<TestServer>.fromOpaque(argument).takeUnretainedValue()
            guard let bytes = server.status.baseAddress, let copy = allocate(server.status.count, "", 0) else {
                return 2
            }
            copy.copyMemory(from: UnsafeRawPointer(bytes), byteCount: server.status.count)
            // SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP; SSL_TLSEXT_ERR_OK is 0.
            return cs_SSL_ctrl(ssl, 71, server.status.count, copy) == 1 ? 0 : 2
        }
        _ = cs_SSL_CTX_ctrl(context, 64, 0, Unmanaged.passUnretained(self).toOpaque())
    }

    // MARK: Connections

    /// The server's side of a connection.
    struct Connection {
        let ssl: OpaquePointer
        let descriptor: Int32

        /// Reads exactly a number of bytes; fewer at the end.
        func read(_ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            var filled = 0
            while filled < count {
                let result = bytes.withUnsafeMutableBytes { buffer in
                    buffer.baseAddress.map { cs_SSL_read(ssl, $0 + filled, Int32(count - filled)) } ?? 0
                }
                guard result > 0 else { break }
                filled += Int(result)
            }
            return Array(bytes.prefix(filled))
        }

        /// Writes all bytes.
        func write(_ bytes: [UInt8]) {
            _ = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { cs_SSL_write(ssl, $0, Int32(buffer.count)) }
            }
        }

        /// Sends close_notify.
        func close() { _ = cs_SSL_shutdown(ssl) }
    }

    /// Connects a client.
    ///
    /// - Parameter script: What the server does after the handshake, before the connection is closed without close_notify.
    /// - Returns: The client's socket, which is non-blocking.
    /// - Throws: ``Failure`` without sockets.
    func connect(_ script: @escaping @Sendable (Connection) -> Void = { _ in }) throws -> Int32 {
        try Self.pair { [self] descriptor in
            typealias Accept = @convention(c) (OpaquePointer) -> Int32
            typealias SetDescriptor = @convention(c) (OpaquePointer, Int32) -> Int32
            guard let ssl = cs_SSL_new(context), let accept = try? Self.find("SSL_accept", Accept.self),
                let setDescriptor = try? Self.find("SSL_set_fd", SetDescriptor.self)
            else { return }
            defer { cs_SSL_free(ssl) }
            cs_ERR_clear_error()
            guard setDescriptor(ssl, descriptor) == 1, accept(ssl) == 1 else { return }
            script(Connection(ssl: ssl, descriptor: descriptor))
        }
    }

    /// Runs something with one end of a socket pair on a thread, and returns the other end.
    static func pair(_ body: @escaping @Sendable (Int32) -> Void) throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw Failure("no sockets") }
        var limit = timeval(tv_sec: 300, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(ends[1], SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let end = ends[1]
        Thread.detachNewThread {
            body(end)
            Glibc.close(end)
        }
        return ends[0]
    }
}
#endif
