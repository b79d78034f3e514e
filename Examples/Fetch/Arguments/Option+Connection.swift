extension Option {
    /// How servers are reached.
    static let connectionOptions: [Option] = [
        .flag(.connection, nil, "http1.1", "Use HTTP/1.1.") { $0.version = .http1 },
        .flag(.connection, nil, "http2", "Use HTTP/2 over TLS.") { $0.version = .http2 },
        .flag(.connection, nil, "http3", "Prefer HTTP/3, if libcurl has it.") { $0.version = .http3 },
        .flag(.connection, nil, "http3-only", "Use HTTP/3 or fail.") { $0.version = .http3Only },
        .value(.connection, "x", "proxy", "URL", "Use a proxy: http, https, socks4, socks4a or socks5h.") {
            $0.proxy = $1
        },
        .value(.connection, nil, "noproxy", "LIST", "Reach these hosts without the proxy; * is all.") {
            $0.noProxy = $1
        }.emptyable,
        .value(.connection, nil, "unix-socket", "PATH", "Connect to a Unix socket.") { $0.unixSocket = $1 },
        .value(.connection, nil, "cacert", "FILE", "Trust these authorities (PEM) instead of the system's.") {
            $0.authorities = $1
        },
        .value(.connection, "E", "cert", "FILE", "The client's certificate (PEM, or PKCS#12 as .p12).") {
            $0.certificate = $1
        },
        .value(.connection, nil, "key", "FILE", "The key of the certificate (PEM).") { $0.key = $1 },
        .value(.connection, nil, "pass", "VARIABLE|@FILE", "The passphrase of the key.") {
            $0.passphrase = try SecretSource($1, of: "--pass")
        },
        .flag(
            .connection,
            "k",
            "insecure",
            "Do not verify who the server is. Anyone on the way can read and change everything."
        ) {
            $0.isInsecure = true
        },
    ]
}
