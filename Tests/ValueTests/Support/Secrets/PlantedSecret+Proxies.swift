import PiuPiuAsync
import TestSupport

@testable import PiuPiuSockets
@testable import PiuPiuValues

extension PlantedSecret {
    /// Proxies with credentials, what holds them, and what goes wrong with them.
    static func proxies() throws -> [PlantedSecret] {
        let http = try ProxyServer(.http, host: "p", user: secret, password: secret, connectHeaders: ["X": secret])
        let socks = try ProxyServer(.socks5h, host: "p", user: secret, password: secret)
        let text = try ProxyServer("https://\(secret):\(secret)@p:1")
        let variables = ["http_proxy": "http://u:\(secret)@p", "all_proxy": "x://u:\(secret)@p", "no_proxy": "a"]
        var kinds: [PlantedSecret] = [
            PlantedSecret("ProxyServer of a text", text),
            PlantedSecret("ProxyFunction", ProxyFunction { _ in http }),
            PlantedSecret("Proxy.choosing", TransportConfiguration.Proxy.choosing { _ in http }),
            PlantedSecret("ProxyEnvironment", ProxyEnvironment(variables)),
            PlantedSecret("ProxySelection.environment", ProxySelection(.environment, variables: variables)),
        ]
        for proxy in [http, socks] {
            let choice = TransportConfiguration.Proxy.server(proxy, except: "localhost")
            var configuration = URLRequestDispatcher.Configuration()
            configuration.transport.proxy = choice
            kinds.append(PlantedSecret("ProxyServer \(proxy.kind)", proxy))
            kinds.append(PlantedSecret("ProxyServer?", proxy as ProxyServer? as Any))
            kinds.append(PlantedSecret("Proxy.server", choice))
            kinds.append(PlantedSecret("ProxySelection.server", ProxySelection.server(proxy, except: "localhost")))
            kinds.append(PlantedSecret("TransportConfiguration with a proxy", configuration.transport))
            kinds.append(PlantedSecret("Configuration with a proxy", configuration))
            kinds.append(PlantedSecret("URLSessionTransport with a proxy", urlSession(configuration.transport)))
            kinds += failures(proxy)
            #if os(Linux)
            kinds += try connections(proxy)
            #endif
        }
        return kinds + refusedTexts
    }

    private static func urlSession(_ configuration: TransportConfiguration) -> URLSessionTransport {
        URLSessionTransport(configuration: configuration)
    }

    private static func failures(_ proxy: ProxyServer) -> [PlantedSecret] {
        let failure = ProxyFailure(
            proxy,
            statusCode: .proxyAuthenticationRequired,
            headers: ["Set-Cookie": secret, "Proxy-Authorization": secret]
        )
        var error = TransportError(.proxy, request: request, underlyingDescription: libraryTexts[1])
        error.proxyFailure = failure
        return [
            PlantedSecret("ProxyFailure", failure),
            PlantedSecret("ProxyFailure.headers", failure.headers.map(\.value)),
            PlantedSecret("TransportError with a ProxyFailure", error),
            PlantedSecret("Result of it", Result<Int, TransportError>.failure(error)),
        ]
    }

    /// Why texts with a password do not name a proxy.
    private static var refusedTexts: [PlantedSecret] {
        let texts = [
            "http://u:\(secret)@", "http://u:\(secret)@p:99999", "ftp://u:\(secret)@p", "http://u:\(secret)@p/a",
            "http:/u:\(secret)@p", "http://\(secret)\n:x@p", "http://u:\(secret)%00@p", "socks4://u:\(secret)@p",
        ]
        return texts.map { text in
            PlantedSecret("ProxyServerError", Result { () throws(ProxyServerError) in try ProxyServer(text) })
        }
    }

    #if os(Linux)
    /// What becomes of a proxy on the way to a connection.
    private static func connections(_ proxy: ProxyServer) throws -> [PlantedSecret] {
        let configuration = TransportConfiguration(proxy: .server(proxy))
        let plan = try SocketPlan(configuration)
        let key = SocketPlan.Key(proxy: proxy)
        return [
            PlantedSecret("SocketPlan", plan),
            PlantedSecret("SocketPlan.Key", key),
            PlantedSecret("SocketProfile", try plan.profile(for: key)),
            PlantedSecret("SocketTransport with a proxy", try SocketTransport(configuration: configuration)),
        ]
    }
    #endif
}
