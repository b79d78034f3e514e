#if os(Linux)
import PiuPiuAsync

/// The settings of a handle, from its transport and from each exchange.
extension CurlHandle {
    /// The settings that all handles of a transport share.
    struct Settings: Hashable, Sendable {
        var authorities: CertificateAuthorities
        var allowsHTTP2 = true
        /// The proxy; `nil` for none.
        var proxy: ProxyServer?
        /// Decides to which addresses connections may be opened; `nil` for all.
        var requestGuard: RequestGuard?
        /// Further options of connections.
        var options: [CurlOption] = []
        /// Further options of their sockets.
        var socketOptions: [SocketOption] = []
        /// The TLS versions to offer.
        var tlsVersions = TLSMaterial.Versions()
        /// The in-memory files in ``options``.
        var files: [MemoryFile] = []
        /// The use of HTTP/3.
        var http3 = HTTP3Use.never
        /// The origins that speak HTTP/2 without TLS.
        var cleartextHTTP2: Set<String> = []
        /// The addresses of request hosts that replace a lookup.
        var overrides = AddressOverrides()
    }

    /// The options of an exchange other than its URL, fields and content.
    struct Manner: Equatable {
        var receiveBuffer: Int
        var keepsApart: Bool
        /// The version to ask for, as libcurl's number.
        var version: Int
        var connectMilliseconds: Int
        var closesConnection: Bool
        var needsFreshConnection: Bool
        var isPlainGET: Bool
        /// How long content waits for "100 Continue", if it does.
        var expectMilliseconds: Int
        var rates = Rates()
        /// The spelling of the host to connect to; `nil` for the spelling in the URL.
        var spelling: String?
    }

    /// The speed limits of an exchange in bytes per second; 0 for none.
    struct Rates: Equatable {
        var receiving: Int64 = 0
        var sending: Int64 = 0

        var isEmpty: Bool { receiving == 0 && sending == 0 }
    }
}
#endif
