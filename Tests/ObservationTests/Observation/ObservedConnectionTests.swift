#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// How connections are described to observers.
struct ObservedConnectionTests {
    private let connection = ObservedConnection(isReused: false, localAddress: "a", httpVersion: "HTTP/2", proxy: "p")

    @Test func aDescriptionIsAValue() {
        var other = connection
        #expect(other == connection && other.hashValue == connection.hashValue)
        other.remoteAddress = "b"
        other.isReused = true
        #expect(connection.remoteAddress == nil && !connection.isReused && other != connection)
        #expect("\(other)" == "ObservedConnection(reused, from a, to b, HTTP/2, through p)")
    }
}
#endif
