#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Many requests at once over HTTP/2, at a server that nobody here wrote and whose log is compared.
    @Suite(.enabled(if: HTTP2Support.isDefault && NginxVariant.isAvailable, "nginx, openssl and nghttp2 are needed"))
    struct HTTP2LoadTests {
        private let folder: DownloadFolder
        private let nginx: NginxVariant

        init() throws {
            let folder = try DownloadFolder()
            let file = try folder.write("mega", Data(repeating: 0x61, count: 600_000))
            self.folder = folder
            nginx = try NginxVariant(
                http: """
                    keepalive_requests 1000000; large_client_header_buffers 8 64k; http2_max_concurrent_streams 128;
                    """,
                server: """
                    location /mega { alias \(file.path(percentEncoded: false)); }
                    location /echo { return 200 "$uri"; }
                    """
            )
        }

        private func dispatcher(perHost: Int) -> URLRequestDispatcher {
            .trusting(nginx.authority, http2: true) { $0.connections.perHost = perHost }
        }

        // Sends requests to paths of their own, with fields of so many bytes, and returns how many got another answer.
        private func send(
            _ dispatcher: URLRequestDispatcher,
            _ count: Int,
            parallel: Int,
            head: Int
        ) async throws -> Int {
            let fields = (0..<head / 1000).map { ("X-\($0)", String(repeating: "x", count: 990)) }
            return try await withThrowingTaskGroup(of: Int.self) { group in
                for lane in 0..<parallel {
                    group.addTask {
                        var wrong = 0
                        for number in stride(from: lane, to: count, by: parallel) {
                            var request = URLRequest(url: nginx.url(nginx.http2, "/echo/\(number)"))
                            for field in fields { request.setValue(field.1, forHTTPHeaderField: field.0) }
                            let response = try await dispatcher.data(for: request)
                            if response.data != Data("/echo/\(number)".utf8) { wrong += 1 }
                        }
                        return wrong
                    }
                }
                return try await group.reduce(0, +)
            }
        }

        /// Expects the server's log to have each path of ``send(_:_:parallel:head:)`` once.
        private func expectEachOnce(_ entries: [NginxVariant.Entry], _ count: Int) {
            let paths = entries.filter { $0.target.hasPrefix("/echo/") && $0.status == 200 }.map(\.target)
            #expect(paths.count == count && Set(paths).count == count)
        }

        @Test func slowStreamsHoldUpNoRequestOnTheirConnection() async throws {
            let dispatcher = dispatcher(perHost: 1)
            var unread: [ResponseBody] = []
            for _ in 0..<100 {
                let request = URLRequest(url: nginx.url(nginx.http2, "/mega"))
                unread.append(try await dispatcher.stream(for: request).data)
            }
            let count = rounds(10_000)
            // As many as nginx takes beside the streams; for more, another connection would be opened.
            #expect(try await send(dispatcher, count, parallel: 24, head: 0) == 0)
            for body in unread { #expect(try await body.collect(upTo: 600_000).count == 600_000) }
            await dispatcher.shutdown()
            let entries = nginx.finish()
            expectEachOnce(entries, count)
            #expect(Set(entries.map(\.connection)).count == 1)
        }

        @Test(arguments: [(2_000, 4_000), (200, 20_000)])
        func largeHeadsAtOnceAreNeitherLostNorMixedUp(_ count: Int, _ head: Int) async throws {
            let count = max(100, rounds(count))
            let dispatcher = dispatcher(perHost: 8)
            #expect(try await send(dispatcher, count, parallel: count, head: head) == 0)
            await dispatcher.shutdown()
            expectEachOnce(nginx.finish(), count)
        }
    }
}
#endif
