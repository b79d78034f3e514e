import PiuPiuAsync
import SuiteSupport
import Testing

struct TransportConfigurationTests {
    @Test(arguments: [
        (8, 256, 1, [(8, 256)]), (8, 256, 2, [(4, 128), (4, 128)]), (8, 10, 3, [(3, 4), (3, 3), (2, 3)]),
        (2, 256, 4, [(1, 128), (1, 128)]), (8, 1, 4, [(8, 1)]), (0, 0, 0, [(1, 1)]), (-5, Int.min, -1, [(1, 1)]),
        (Int.max, Int.max, 1, [(Int.max, Int.max)]),
    ])
    func eachLoopHasItsShareOfTheLimits(_ row: (Int, Int, Int, [(Int, Int)])) {
        let limits = ConnectionLimits(perHost: row.0, total: row.1, streamsPerHost: 12)
        let shares = TransportConfiguration(connections: limits, eventLoops: row.2).limitsPerLoop
        #expect(shares.map(\.perHost) == row.3.map(\.0))
        #expect(shares.map(\.total) == row.3.map(\.1))
        #expect(shares.reduce(0) { $0 + $1.streamsPerHost } == 12)
    }

    @Test("There are no more loops than a machine can have threads")
    func loopsAreBounded() {
        let limits = ConnectionLimits(perHost: .max, total: .max, streamsPerHost: .max)
        #expect(TransportConfiguration(connections: limits, eventLoops: .max).limitsPerLoop.count == 256)
    }

    @Test func sharesAddUpToTheWholeAndNoLoopHasNone() {
        for perHost in 1...9 {
            for total in 1...9 {
                for loops in 1...10 {
                    let limits = ConnectionLimits(perHost: perHost, total: total)
                    let shares = TransportConfiguration(connections: limits, eventLoops: loops).limitsPerLoop
                    #expect(shares.reduce(0) { $0 + $1.perHost } == perHost)
                    #expect(shares.reduce(0) { $0 + $1.total } == total)
                    #expect(shares.allSatisfy { $0.perHost >= 1 && $0.total >= 1 })
                    #expect(shares.count <= loops)
                }
            }
        }
    }
}
