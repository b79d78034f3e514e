import PiuPiuAsync

extension HAR {
    /// The duration of each phase of an exchange, in milliseconds; -1 if a phase did not take place or is not known.
    public struct Timings: Sendable, Hashable {
        /// The time spent waiting for a connection.
        public var blocked: Double
        /// The time spent resolving the host name.
        public var dns: Double
        /// The time spent connecting, including TLS.
        public var connect: Double
        /// The time spent on the TLS handshake, which is part of ``connect``.
        public var ssl: Double
        /// The time spent sending; ``HARRecorder`` includes it in ``wait`` if it is not an observer.
        public var send: Double
        /// The time until the first byte of the response arrived.
        public var wait: Double
        /// The time spent receiving the response.
        public var receive: Double

        /// Creates timings, in milliseconds.
        ///
        /// - Parameters:
        ///   - blocked: The time spent waiting for a connection.
        ///   - dns: The time spent resolving the host name.
        ///   - connect: The time spent connecting, including TLS.
        ///   - ssl: The time spent on the TLS handshake.
        ///   - send: The time spent sending.
        ///   - wait: The time until the first byte arrived.
        ///   - receive: The time spent receiving the response.
        public init(
            blocked: Double = -1,
            dns: Double = -1,
            connect: Double = -1,
            ssl: Double = -1,
            send: Double = 0,
            wait: Double = 0,
            receive: Double = 0
        ) {
            self.blocked = blocked
            self.dns = dns
            self.connect = connect
            self.ssl = ssl
            self.send = send
            self.wait = wait
            self.receive = receive
        }

        /// The total time of the exchange, in milliseconds: the sum of all phases that took place.
        public var total: Double {
            // A file may contain any number; JSON must be able to represent the sum.
            [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + min(max(0, $1), 1e12) }
        }

        /// Creates timings from the measurements of an exchange.
        ///
        /// - Parameters:
        ///   - metrics: The transport's measurements; `nil` if it has none.
        ///   - head: The time from the start of the request to the head of the response.
        ///   - end: The time from the start of the request to the end of the body.
        init(metrics: ExchangeMetrics?, head: Duration, end: Duration) {
            func milliseconds(_ duration: Duration) -> Double {
                // Rounded to microseconds; more digits are noise.
                max(0, ((duration / .microseconds(1)).rounded() / 1000))
            }
            guard let metrics else {
                self.init(wait: milliseconds(head), receive: milliseconds(end - head))
                return
            }
            self.init(blocked: milliseconds(metrics.queued))
            var connected = Duration.zero
            if !metrics.isReusedConnection {
                connected = max(metrics.connect, metrics.secureConnect)
                dns = milliseconds(metrics.nameLookup)
                connect = milliseconds(connected - metrics.nameLookup)
                if metrics.secureConnect > .zero { ssl = milliseconds(metrics.secureConnect - metrics.connect) }
            }
            wait = milliseconds(metrics.firstByte - connected)
            // The transport's clock may have stopped at the head, before a stream was read.
            receive = milliseconds(max(metrics.total - metrics.firstByte, end - head))
        }
    }
}

extension HAR.Timings: Codable {
    private enum Keys: String, CodingKey {
        case blocked, dns, connect, ssl, send, wait, receive
    }

    /// Reads timings; a missing phase counts as one that did not take place.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the timings are not an object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        self.init(
            blocked: container.lenient(.blocked) ?? -1,
            dns: container.lenient(.dns) ?? -1,
            connect: container.lenient(.connect) ?? -1,
            ssl: container.lenient(.ssl) ?? -1,
            send: container.lenient(.send) ?? 0,
            wait: container.lenient(.wait) ?? 0,
            receive: container.lenient(.receive) ?? 0
        )
    }
}
