import PiuPiuAsync
import TestSupport

@testable import PiuPiuSockets

extension PlantedSecret {
    /// A pin whose bytes are the secret.
    private static var pin: SPKIPin? {
        let bytes = Array(secret.utf8)
        return try? SPKIPin(digest: Data((0..<SPKIPin.length).map { bytes[$0 % bytes.count] }))
    }

    private static var transport: TransportConfiguration {
        var transport = TransportConfiguration(proxy: .none)
        transport.tls.pins = ["example.com": [pin].compactMap { $0 }]
        transport.tlsByOrigin[Fixture.url("https://example.com")] = transport.tls
        transport.cleartextHTTP2 = [Fixture.url("http://user:\(secret)@example.com/?a=\(secret)")]
        transport.network.dnsOverHTTPS = Fixture.url("https://dns.example/\(secret)?token=\(secret)")
        transport.routes[Fixture.url("http://user:\(secret)@docker/")] = .unixSocket(path: "/run/docker.sock")
        return transport
    }

    /// What connections are made by.
    static var connections: [PlantedSecret] {
        let identity = TLSIdentity.pem(certificates: body, key: body, passphrase: secret)
        var tls = TLSConfiguration()
        tls.identity = identity
        tls.pins = transport.tls.pins
        var dispatcher = URLRequestDispatcher.Configuration()
        dispatcher.transport = transport
        var kinds = [
            PlantedSecret("SPKIPin", pin as Any),
            PlantedSecret("TLSIdentity", identity),
            PlantedSecret("TLSIdentity of PKCS#12", TLSIdentity.pkcs12(body, passphrase: secret)),
            PlantedSecret("TLSAuthorities", TLSAuthorities.certificates(body)),
            PlantedSecret("TLSConfiguration", tls),
            PlantedSecret("Routes", transport.routes),
            PlantedSecret("NetworkConfiguration", transport.network),
            PlantedSecret("TransportConfiguration", transport),
            PlantedSecret("Configuration with a transport", dispatcher),
            PlantedSecret("TLSRules", (try? TLSRules(transport)) as Any),
        ]
        #if os(Linux)
        kinds += plans
        #endif
        return kinds
    }

    #if os(Linux)
    private static var plans: [PlantedSecret] {
        var transport = transport
        // Only its first byte is looked at before it is used.
        transport.tls.identity = .pkcs12([0x30] + body, passphrase: secret)
        let variables = [
            "http_proxy": "http://user:\(secret)@proxy.example", "https_proxy": "socks5://user:\(secret)@proxy.example",
        ]
        transport.proxy = .environment
        transport.network.dnsOverHTTPS = nil
        let plan = try? SocketPlan(transport, variables: variables)
        let target = try? RequestTarget(url)
        let planned = target.flatMap { target in try? plan?.key(for: target, transportRequest) }
        let profile = planned.flatMap { try? plan?.profile(for: $0) }
        return [
            PlantedSecret("SocketPlan", plan as Any),
            PlantedSecret("SocketPlan.Key", planned as Any),
            PlantedSecret("SocketProfile", profile as Any),
            PlantedSecret("ProxyEnvironment", ProxyEnvironment(variables)),
        ]
    }

    /// The kinds that must have been made.
    static let plannedKinds = ["SPKIPin", "TLSRules", "SocketPlan", "SocketPlan.Key", "SocketProfile"]
    #endif
}
