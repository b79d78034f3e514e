import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct URLRequestDispatcherConfigurationTests {
    private typealias Configuration = URLRequestDispatcher.Configuration

    @Test func theDefaultsAreThoseThatAreDocumented() {
        let configuration = Configuration()
        #expect(configuration.timeouts.queue == .seconds(60))
        #expect(configuration.timeouts.connect == .seconds(10))
        #expect(configuration.timeouts.head == nil)
        #expect(configuration.timeouts.idle == .seconds(60))
        #expect(configuration.timeouts.total == nil)
        #expect(configuration.maximumBufferedBody == 64 * 1024 * 1024)
        #expect(configuration.options.maximumHead == 256 * 1024)
        #expect(configuration.options.decompression == .automatic)
        #expect(configuration.connections == ConnectionLimits(perHost: 8, total: 256))
        #expect(configuration.redirects == RedirectPolicy(limit: 20, allowsDowngrade: false, allowsCycles: true))
        #expect(configuration.additionalHeaders.isEmpty)
        #expect(configuration.sensitiveHeaders.isEmpty)
    }

    @Test func shortcutsReachTheSameValues() {
        var configuration = Configuration()
        configuration.timeouts = Timeouts(idle: .seconds(1))
        configuration.maximumBufferedBody = 2
        configuration.sensitiveHeaders = ["X-Api-Key"]
        configuration.connections = ConnectionLimits(perHost: 3, total: 4)
        #expect(configuration.options.timeouts.idle == .seconds(1))
        #expect(configuration.options.maximumBufferedBody == 2)
        #expect(configuration.options.sensitiveHeaders == ["X-Api-Key"])
        #expect(configuration.transport.connections == ConnectionLimits(perHost: 3, total: 4))
        #expect(configuration.timeouts == configuration.options.timeouts)
        #expect(configuration.connections == configuration.transport.connections)
    }

    @Test func foundationsDefaultsAreTakenOver() {
        let session = URLSessionConfiguration.default
        let configuration = Configuration(session)
        #expect(configuration.timeouts.idle == .seconds(60))
        #expect(configuration.timeouts.total == nil)
        #expect(configuration.connections.perHost == session.httpMaximumConnectionsPerHost)
        #expect(configuration.additionalHeaders.isEmpty)
    }

    @Test(
        arguments: [
            (30, .seconds(30)), (0.5, .milliseconds(500)), (0, nil), (-1, nil), (.nan, nil), (.infinity, nil),
            (-.infinity, nil), (.greatestFiniteMagnitude, nil), (1e9, nil), (-1e300, nil),
        ] as [(TimeInterval, Duration?)]
    )
    func intervalsBecomeDurations(_ pair: (TimeInterval, Duration?)) {
        let session = URLSessionConfiguration.default
        session.timeoutIntervalForRequest = pair.0
        session.timeoutIntervalForResource = pair.0
        let configuration = Configuration(session)
        #expect(configuration.timeouts.idle == pair.1)
        #expect(configuration.timeouts.total == pair.1)
    }

    @Test(arguments: [(604_800, nil), (604_799, .seconds(604_799)), (700_000, nil)] as [(TimeInterval, Duration?)])
    func theDefaultOfSevenDaysIsNoLimit(_ pair: (TimeInterval, Duration?)) {
        let session = URLSessionConfiguration.default
        session.timeoutIntervalForResource = pair.0
        #expect(Configuration(session).timeouts.total == pair.1)
    }

    @Test(arguments: [(4, 4), (1, 1), (0, 1), (-7, 1)])
    func connectionsAreAtLeastOne(_ pair: (Int, Int)) {
        let session = URLSessionConfiguration.default
        session.httpMaximumConnectionsPerHost = pair.0
        #expect(Configuration(session).connections.perHost == pair.1)
    }

    @Test func additionalHeadersBecomeText() {
        let session = URLSessionConfiguration.default
        session.httpAdditionalHeaders = ["X-Text": "a", "X-Number": 5, AnyHashable("X-Any"): "b" as Any]
        let headers = Configuration(session).additionalHeaders
        #expect(headers.count == 3)
        #expect(headers["X-Text"] == "a")
        #expect(headers["X-Number"] == "5")
        #expect(headers["x-any"] == "b")
    }

    @Test func aDispatcherCanBeMadeFromFoundationsConfiguration() async {
        let session = URLSessionConfiguration.default
        session.timeoutIntervalForRequest = 12
        let dispatcher = URLRequestDispatcher(configuration: session)
        #expect(dispatcher.configuration.timeouts.idle == .seconds(12))
        await dispatcher.shutdown()
    }
}
