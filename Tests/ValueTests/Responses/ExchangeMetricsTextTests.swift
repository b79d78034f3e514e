import PiuPiuAsync
import Testing

struct ExchangeMetricsTextTests {
    @Test func metricsArePrintedInOneLine() {
        var metrics = ExchangeMetrics(firstByte: .milliseconds(80), total: .milliseconds(120))
        #expect("\(metrics)" == "total 120 milliseconds, first byte after 80 milliseconds, new connection")
        metrics.queued = .seconds(2)
        metrics.isReusedConnection = true
        (metrics.bytesSent, metrics.bytesReceived) = (210, 1)
        let line = "total 120 milliseconds, first byte after 80 milliseconds, queued for 2 seconds, reused connection"
        #expect("\(metrics)" == line + ", 210 bytes sent, 1 byte received")
    }
}
