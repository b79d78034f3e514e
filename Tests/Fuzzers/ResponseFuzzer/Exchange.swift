import PiuPiuAsync

/// What the server does and has done for one request, which may come more than once: after a redirect, or sent again on
/// another connection.
final class Exchange: Sendable {
    /// What was sent for the request once.
    struct Attempt: Sendable {
        let path: String
        let isHead: Bool
        let bytes: [UInt8]
        /// How many of the bytes were written, or are about to be.
        var sent = 0
        var end = ConnectionEnd.open
        /// Whether nothing more will be written.
        var isSettled = false
    }

    let id: UInt64
    /// The response to the path that names the request; `nil` for a good response.
    let plan: Plan?
    /// Whether the response is whole with nothing after it, so that the connection may stay open.
    let isClean: Bool
    private let recorded = Locked<[Attempt]>([])

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - id: The number of the request.
    ///   - plan: What to answer.
    init(id: UInt64, plan: Plan?) {
        self.id = id
        self.plan = plan
        isClean =
            if let plan,
                case .complete(let message) = Reference.read(
                    plan.bytes,
                    isHead: plan.method == .head,
                    end: .open,
                    decodes: false
                )
            {
                message.end == plan.bytes.count
            } else {
                plan == nil
            }
    }

    var attempts: [Attempt] { recorded.withLock { $0 } }

    /// Notes that the request came.
    ///
    /// - Returns: The place of the attempt.
    func begin(_ attempt: Attempt) -> Int {
        recorded.withLock {
            $0.append(attempt)
            return $0.count - 1
        }
    }

    /// Changes what is known about an attempt.
    func update(_ index: Int, _ change: (inout Attempt) -> Void) {
        recorded.withLock { change(&$0[index]) }
    }

    /// A good response to the request.
    ///
    /// - Returns: The bytes, and how many of them are the body.
    func goodResponse(isHead: Bool) -> (bytes: [UInt8], body: [UInt8]) {
        let mark = Marker.bytes(of: id)
        let body = Array("good ".utf8) + mark + repeatElement(0x67, count: Int(id % 7) * 30)
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nX-Mark: ".utf8) + mark + [13, 10, 13, 10]
        return (isHead ? head : head + body, isHead ? [] : body)
    }
}

/// The exchanges that are under way, by their numbers.
struct Registry: Sendable {
    private let exchanges = Locked<[UInt64: Exchange]>([:])

    subscript(id: UInt64) -> Exchange? { exchanges.withLock { $0[id] } }

    /// Makes an exchange known to the server.
    func add(_ exchange: Exchange) {
        exchanges.withLock { $0[exchange.id] = exchange }
    }

    /// Forgets an exchange.
    func remove(_ exchange: Exchange) {
        exchanges.withLock { $0[exchange.id] = nil }
    }
}
