import PiuPiuAsync

extension HAR {
    /// Where the time of an exchange went, in milliseconds; -1 for what did not take place or is not known.
    public struct Timings: Sendable, Hashable {
        /// The time spent waiting for a connection.
        public var blocked: Double
        /// The time spent resolving the host's name.
        public var dns: Double
        /// The time spent connecting, TLS included.
        public var connect: Double
        /// The time spent agreeing on TLS, a part of ``connect``.
        public var ssl: Double
        /// The time spent sending; part of ``wait`` in what ``HARRecorder`` writes, as nobody measures it.
        public var send: Double
        /// The time until the first byte of the response came.
        public var wait: Double
        /// The time the response took to arrive.
        public var receive: Double

        /// Creates timings, in milliseconds.
        ///
        /// - Parameters:
        ///   - blocked: The time spent waiting for a connection.
        ///   - dns: The time spent resolving the host's name.
        ///   - connect: The time spent connecting, TLS included.
        ///   - ssl: The time spent agreeing on TLS.
        ///   - send: The time spent sending.
        ///   - wait: The time until the first byte came.
        ///   - receive: The time the response took to arrive.
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

        /// The time the exchange took, in milliseconds: the sum of what took place.
        public var total: Double {
            // A file may say anything; the sum has to be a number that JSON can express.
            [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + min(max(0, $1), 1e12) }
        }

        /// The times an exchange was measured to have taken.
        ///
        /// - Parameters:
        ///   - metrics: The transport's measurements; `nil` where it has none.
        ///   - head: When the head was there, since the request was handed over.
        ///   - end: When the body was there, since the request was handed over.
        init(metrics: ExchangeMetrics?, head: Duration, end: Duration) {
            func milliseconds(_ duration: Duration) -> Double {
                // To the microsecond, as more is noise.
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
            // The transport's clock may have stopped with the head, before a stream was read.
            receive = milliseconds(max(metrics.total - metrics.firstByte, end - head))
        }
    }
}

extension HAR.Timings: Codable {
    private enum Keys: String, CodingKey {
        case blocked, dns, connect, ssl, send, wait, receive
    }

    /// Reads timings; what is missing did not take place.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` where they are no object.
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
