#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuPolicies

extension ConnectionNetworkTests {
    /// No redirect from another origin leads into a Unix socket (CVE-2022-33987).
    struct UnixSocketRedirectTests {
        /// Sends each hop again, as a policy does that retries.
        private struct Repetition: Interceptor {
            var interceptsEachHop: Bool { true }

            func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
                _ = try? await next(request)
                return try await next(request)
            }
        }

        private let outside: LoopbackServer
        private let inside: LoopbackServer
        private let relay: UnixRelay

        init() throws {
            outside = try LoopbackServer()
            inside = try LoopbackServer()
            relay = try UnixRelay(to: inside.port)
            inside.route("/secret", .response(body: "secret"))
            outside.route("/in", .redirect(to: "http://docker/secret"))
        }

        private func dispatcher(_ interceptors: [any Interceptor] = []) -> URLRequestDispatcher {
            URLRequestDispatcher.forTests(interceptors: interceptors) {
                $0.transport.routes[Fixture.url("http://docker")] = relay.route
            }
        }

        @Test(arguments: [302, 307, 308]) func aRedirectFromAnotherOriginIsRefused(_ status: Int) async throws {
            outside.route("/in", .redirect(to: "http://DOCKER:80/secret", status: status))
            let dispatcher = dispatcher()
            await expect(.unsafeRedirect) { try await dispatcher.data(from: outside.url("/in")) }
            #expect(inside.acceptedConnections == 0)
            // What was made for the origin is sent, before and after.
            let url = Fixture.url("http://docker/secret")
            #expect(try await dispatcher.data(from: url).data == Data("secret".utf8))
            await expect(.unsafeRedirect) { try await dispatcher.data(from: outside.url("/in")) }
            #expect(inside.requests.count == 1)
        }

        @Test func aRedirectWithinTheOriginIsFollowed() async throws {
            inside.route("/first", .redirect(to: "/secret"))
            let response = try await dispatcher().data(from: Fixture.url("http://docker/first"))
            #expect(response.data == Data("secret".utf8))
        }

        @Test func theWayBackIsRefusedToo() async throws {
            inside.route("/out", .redirect(to: outside.url("/in").absoluteString))
            await expect(.unsafeRedirect) { try await dispatcher().data(from: Fixture.url("http://docker/out")) }
            #expect(inside.requests.count == 1)
        }

        @Test func aLongWayIsRefusedToo() async throws {
            let other = try LoopbackServer()
            other.route("/a", .redirect(to: "/b"))
            other.route("/b", .redirect(to: outside.url("/in").absoluteString))
            await expect(.unsafeRedirect) { try await dispatcher().data(from: other.url("/a")) }
            #expect(inside.acceptedConnections == 0)
        }

        @Test func policiesThatSendAgainDoNotHideTheRedirect() async throws {
            let authentication = try AuthenticationPolicy(
                origins: [outside.url("/")],
                credential: "old",
                apply: { $1.setValue($0, forHTTPHeaderField: "Authorization") },
                refresh: { _ in "new" }
            )
            let policies: [any Interceptor] = [Repetition(), RetryPolicy(), Coalescing(), Hedging(), authentication]
            await expect(.unsafeRedirect) { try await dispatcher(policies).data(from: outside.url("/in")) }
            await expect(.unsafeRedirect) { try await dispatcher([Repetition()]).data(from: outside.url("/in")) }
            #expect(inside.acceptedConnections == 0)
        }

        @Test func downloadsAndStreamsAreRefusedToo() async throws {
            let folder = try DownloadFolder()
            let request = URLRequest(url: outside.url("/in"))
            let dispatcher = dispatcher()
            await expect(.unsafeRedirect) { try await dispatcher.stream(for: request) }
            let file = folder.url.appending(path: "file")
            await expect(.unsafeRedirect) { try await dispatcher.download(for: request, to: file).response() }
            #expect(inside.acceptedConnections == 0)
        }

        @Test func aSharedExchangeIsNotOfferedToARedirect() throws {
            let url = URLRequest(url: Fixture.url("http://docker/secret"))
            var redirected = TransportRequest(url)
            redirected.isForeignRedirect = true
            let keys = [TransportRequest(url), redirected].map { CoalescingKey($0, ignoring: [], chain: nil) }
            #expect(keys[0] != nil && keys[0] != keys[1])
        }
    }
}
#endif
