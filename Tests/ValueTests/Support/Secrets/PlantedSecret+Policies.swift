import PiuPiuTesting
import SuiteSupport
import TestSupport

@testable import PiuPiuAsync
@testable import PiuPiuPolicies

extension PlantedSecret {
    private struct Login: Encodable {
        var name = secret
        var score = Double.nan
    }

    private static let origin = Fixture.url("https://user:\(secret)@example.com/?token=\(secret)")

    /// Credentials, and the policies and adapters that hold them.
    static func credentials() async throws -> [PlantedSecret] {
        let bearer = try BearerToken(secret, origins: [origin])
        let basic = try BasicCredentials(user: secret, password: secret, origins: [origin])
        let json = "{\"access_token\":\"\(secret)\",\"token_type\":\"bearer\",\"expires_in\":60}"
        let token = try OAuth2AccessToken(statusCode: .ok, body: Data(json.utf8))
        let transport = MockTransport { _ in MockAnswer(.ok, body: json) }
        let login = URLRequestDispatcher(transport: transport)
        let client = try OAuth2ClientCredentials(
            tokenURL: Fixture.url("https://example.com/?token=\(secret)"),
            clientID: "reports",
            clientSecret: secret,
            dispatcher: login
        )
        let policy = try client.authenticationPolicy(origins: [origin])
        let dispatcher = URLRequestDispatcher(
            interceptors: [policy],
            requestAdapters: [bearer, basic],
            transport: transport
        )
        _ = try await dispatcher.data(from: Fixture.url("https://example.com/"))
        let known = try AuthenticationPolicy<String>(
            origins: [origin],
            credential: secret,
            field: "X-Mine",
            apply: { $1.setValue($0, forHTTPHeaderField: "X-Mine") },
            refresh: { _ in secret }
        )
        let bodies = [
            #"{"error":"\#(secret)","error_description":"\#(secret)"}"#, #"{"access_token":"\#(secret)"}"#, secret,
        ]
        let refused = bodies.flatMap { json -> [Result<OAuth2AccessToken, any Error>] in
            [StatusCode.ok, .badRequest].map { status in
                Result { try OAuth2AccessToken(statusCode: status, body: Data(json.utf8)) }
            }
        }
        return [
            PlantedSecret("BearerToken", bearer),
            PlantedSecret("BasicCredentials", basic),
            PlantedSecret("OAuth2AccessToken", token),
            PlantedSecret("OAuth2AccessToken?", (token as OAuth2AccessToken?) as Any),
            PlantedSecret("OAuth2ClientCredentials", client),
            PlantedSecret("AuthenticationPolicy, used", policy),
            PlantedSecret("AuthenticationPolicy, with a credential", known),
            PlantedSecret("URLRequestDispatcher with credentials", dispatcher),
            PlantedSecret("DispatcherCore with credentials", dispatcher.core),
            PlantedSecret("Result of OAuth2AccessToken", refused),
            PlantedSecret(
                "Result of BearerToken",
                Result { try BearerToken("\(secret)\n", origins: []) }
            ),
            PlantedSecret(
                "Result of BasicCredentials",
                Result { try BasicCredentials(user: "\(secret):", password: secret, origins: []) }
            ),
            PlantedSecret(
                "Result of BasicCredentials, of an origin",
                Result {
                    try BasicCredentials(user: "a", password: "b", origins: [Fixture.url("ftp://u:\(secret)@h/")])
                }
            ),
        ]
    }

    /// What requests are made from.
    static var requestParts: [PlantedSecret] {
        let items: QueryItems = ["token": secret, "list": [secret]]
        let defaults = RequestDefaults(baseURL: origin, query: items)
        let valid = RequestDefaults(baseURL: Fixture.url("https://example.com/a"), query: items)
        let texts = [
            "https://user:\(secret)@example.com/", "//user:\(secret)@example.com/", "/a?token=\(secret)#",
            "/../?token=\(secret)", "/a#\(secret)", "/%?\(secret)", "/..;?\(secret)", "//?\u{301}\(secret)",
            "/../?\u{20DD}\(secret)",
        ]
        let errors = texts.flatMap { text in
            [defaults, valid].map { defaults in
                PlantedSecret("RequestPathError \(text)", Result { try defaults.url(text) })
            }
        }
        var configuration = configuration
        configuration.requestDefaults = defaults
        let payloads = [
            RequestPayload.form(items), .json([secret]), .text(secret), .data(Data(secret.utf8)),
            .form(encodable: ["a": secret]),
        ]
        return errors.filter { !"\($0.value)".hasPrefix("success") } + [
            PlantedSecret("QueryItems", items),
            PlantedSecret("RequestDefaults", defaults),
            PlantedSecret("Configuration with defaults", configuration),
            PlantedSecret("AdditionalHeaders", AdditionalHeaders(configuration)),
            PlantedSecret("RequestPayload", payloads),
            PlantedSecret("FormEncodingError", Result { try FormURLEncoder().items(of: Login()) }),
            PlantedSecret("FormEncodingError of a text", Result { try FormURLEncoder().items(of: secret) }),
            PlantedSecret("RequestCompression", RequestCompression { _ in secret.isEmpty }),
        ]
    }

    /// Lists of pages and of downloads, and what is left of them after their beginning.
    static func lists() async throws -> [PlantedSecret] {
        let target = "https://user:\(secret)@example.com/?token=\(secret)#\(secret)"
        let transport = MockTransport { request in
            let link =
                request.url.path() == "/foreign" ? "https://u:\(secret)@evil.example/?\(secret)#\(secret)" : target
            return MockAnswer(
                .ok,
                headers: ["Link": "<\(link)>; rel=next; title=\"\(secret)\""],
                body: "[\"\(secret)\"]"
            )
        }
        let dispatcher = URLRequestDispatcher(transport: transport)
        let pages = dispatcher.pages(for: request, of: [String].self)
        var iterator = pages.makeAsyncIterator()
        let page = try await iterator.next()
        var items = pages.items.makeAsyncIterator()
        _ = try await items.next()
        let foreign = URLRequest("GET", Fixture.url("https://example.com/foreign?token=\(secret)"))
        var errors: [any Error] = []
        do {
            for try await _ in dispatcher.pages(for: foreign, of: [String].self) {}
        } catch {
            errors.append(error)
        }
        do {
            for try await _ in pages {}
        } catch {
            errors.append(error)
        }
        let item = DownloadItem(request, to: URL(filePath: "/tmp/file"))
        let downloads = dispatcher.downloads(of: [item])
        let saved = Response(data: URL(filePath: "/tmp/file"), urlRequest: request, head: head)
        return [
            PlantedSecret("Pages", pages),
            PlantedSecret("Pages.AsyncIterator, started", iterator),
            PlantedSecret("PageItems", pages.items),
            PlantedSecret("PageItems.AsyncIterator, started", items),
            PlantedSecret("Response of a page", page as Any),
            PlantedSecret("WebLink", page?.link("next") as Any),
            PlantedSecret("[WebLink]", page?.links as Any),
            PlantedSecret("PaginationError", errors),
            PlantedSecret("DownloadItem", item),
            PlantedSecret("Downloads", downloads),
            PlantedSecret("Downloads.AsyncIterator", downloads.makeAsyncIterator()),
            PlantedSecret("DownloadsEvent.saved", DownloadsEvent.saved(saved, index: 0)),
            PlantedSecret(
                "DownloadsEvent.failed",
                DownloadsEvent.failed(TransportError(.proxy, underlyingDescription: libraryTexts[1]), index: 0)
            ),
        ]
    }
}
