import PiuPiuAsync
import SuiteSupport
import Testing

/// Every structure that is configuration can be made with every one of its properties.
struct ConfigurationInitializersTests {
    /// The labels of a structure's stored properties, as a mirror of one without secrets of its own shows them.
    private func properties(_ value: Any) -> Set<String> {
        Set(Mirror(reflecting: value).children.compactMap(\.label))
    }

    @Test func everyPropertyHasAParameter() {
        let timeouts = Timeouts(
            queue: .seconds(1),
            connect: .seconds(2),
            head: .seconds(3),
            idle: .seconds(4),
            total: .seconds(5),
            afterResponse: .seconds(6)
        )
        #expect(properties(timeouts) == ["queue", "connect", "head", "idle", "total", "afterResponse"])

        let connections = ConnectionLimits(perHost: 1, total: 2, streamsPerHost: 3)
        #expect(properties(connections) == ["perHost", "total", "streamsPerHost"])

        let redirects = RedirectPolicy(limit: 1, allowsDowngrade: true, allowsCycles: true)
        #expect(properties(redirects) == ["limit", "allowsDowngrade", "allowsCycles"])

        let reconnection = ServerSentEventReconnection(
            initialDelay: .seconds(1),
            maximumDelay: .seconds(2),
            maximumAttempts: 3,
            repeatsOtherMethods: true
        )
        #expect(properties(reconnection) == ["initialDelay", "maximumDelay", "maximumAttempts", "repeatsOtherMethods"])

        let options = RequestOptions(
            timeouts: timeouts,
            maximumBufferedBody: 1,
            maximumHead: 2,
            decompression: .off,
            sensitiveHeaders: ["X-Mine"]
        )
        #expect(options.timeouts == timeouts && options.sensitiveHeaders == ["X-Mine"])

        let transport = TransportConfiguration(
            connections: connections,
            certificateAuthorityFile: URL(filePath: "/ca.pem"),
            http2: .never,
            proxy: .none,
            userAgent: nil,
            eventLoops: 2
        )
        #expect(transport.eventLoops == 2)

        let configuration = URLRequestDispatcher.Configuration(
            options: options,
            transport: transport,
            additionalHeaders: ["X-A": "1"],
            redirects: redirects,
            allowsFileURLs: true
        )
        #expect(configuration.transport == transport && configuration.allowsFileURLs)
        #expect(!URLRequestDispatcher.Configuration().allowsFileURLs)

        let download = DownloadOptions(
            resume: .ifPossible,
            expectedSize: 1,
            digest: nil,
            failureStatusCodes: 500..<600,
            maximumSize: 2,
            acceptsCompression: true,
            isDurable: true,
            requestOptions: options,
            verify: { _ in }
        )
        #expect(
            properties(download) == [
                "resume", "expectedSize", "digest", "failureStatusCodes", "maximumSize", "acceptsCompression",
                "isDurable", "requestOptions", "verify",
            ]
        )
        #expect(download.failureStatusCodes == 500..<600 && download.maximumSize == 2 && download.acceptsCompression)
        #expect(download.requestOptions == options && download.verify != nil)
        #expect(download.isDurable && download.resume == .ifPossible)
        #expect(DownloadOptions().failureStatusCodes == 400..<1000 && !DownloadOptions().acceptsCompression)
    }
}
