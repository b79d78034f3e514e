#if os(Linux)
import PiuPiuAsync

/// What a handle is given: by its transport, and by each exchange.
extension CurlHandle {
    /// The settings that all handles of a transport share.
    struct Settings: Hashable, Sendable {
        var authorities: CertificateAuthorities
        var allowsHTTP2 = true
        /// The proxy; `nil` for none.
        var proxy: ProxyServer?
        /// What addresses connections may be opened to; `nil` for all.
        var requestGuard: RequestGuard?
        /// What else connections need.
        var options: [CurlOption] = []
        /// What else their sockets need.
        var socketOptions: [SocketOption] = []
        /// The TLS versions to offer.
        var tlsVersions = TLSMaterial.Versions()
        /// The files in memory that ``options`` name.
        var files: [MemoryFile] = []
        /// The use of HTTP/3.
        var http3 = HTTP3Use.never
        /// The origins that speak HTTP/2 without TLS.
        var cleartextHTTP2: Set<String> = []
        /// The addresses that the hosts of requests have in place of a lookup.
        var overrides = AddressOverrides()
    }

    /// The options of an exchange other than its URL, fields and content.
    struct Manner: Equatable {
        var receiveBuffer: Int
        var keepsApart: Bool
        /// The version to ask for, one of libcurl's numbers.
        var version: Int
        var connectMilliseconds: Int
        var closesConnection: Bool
        var needsFreshConnection: Bool
        var isPlainGET: Bool
        /// How long content waits for "100 Continue", if it does.
        var expectMilliseconds: Int
        var rates = Rates()
        /// The spelling of the host to connect to; `nil` for the one of the URL.
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
