import PiuPiuAsync

/// The end of each phase of an observed exchange, measured from its start.
struct HARPhases: Sendable {
    /// When the exchange got its last connection.
    var connected: Duration?
    /// Whether that connection was already open.
    var isReused = false
    /// When the whole request was passed to the connection.
    var sent: Duration?
    /// When the head of the response arrived.
    var head: Duration?
    /// When the exchange ended.
    var end: Duration
    /// The transport's measurements; `nil` if there are none.
    var metrics: ExchangeMetrics?
    /// The phase in which the exchange failed, if it never had a connection.
    var failedPhase = FailedPhase.unknown

    /// The phase that an exchange without a connection was in.
    enum FailedPhase: Sendable {
        case unknown, dns, connect

        /// Creates the phase that a failure belongs to.
        init(_ error: any Error) {
            switch error {
            case TransportError.Code.cannotResolveHost: self = .dns
            case TransportError.Code.cannotConnect, TransportError.Code.tls, TransportError.Code.proxy: self = .connect
            case TransportError.Code.timeout(.connect): self = .connect
            default: self = .unknown
            }
        }
    }
}

extension HAR.Timings {
    /// Creates timings whose sum is the time from the start to the end, for any measurements.
    ///
    /// The transport measures the phases of a connection from a different start than that of the exchange. The end of the
    /// phases is known, and the remaining time before them was spent waiting.
    init(_ phases: HARPhases) {
        self.init()
        let end = phases.end.microseconds
        let queued = min(phases.metrics?.queued.microseconds ?? 0, end)
        guard phases.connected != nil || phases.head != nil else {
            (blocked, dns, connect) =
                switch phases.failedPhase {
                case .unknown: (Self.milliseconds(end), -1, -1)
                case .dns: (Self.milliseconds(queued), Self.milliseconds(end - queued), -1)
                case .connect: (Self.milliseconds(queued), -1, Self.milliseconds(end - queued))
                }
            return
        }
        let opening = Self.opening(phases)
        let length = opening?.length ?? 0
        var position = min(max(queued, phases.connected.map { $0.microseconds - length } ?? 0), end)
        blocked = Self.milliseconds(position)
        let firstByte = phases.head.map { head in
            let measured = phases.metrics.map { position + $0.firstByte.microseconds } ?? 0
            return measured > position ? measured : head.microseconds
        }
        /// Advances to a moment, at most to the end, and returns the duration.
        func advance(to moment: Int64) -> Double {
            let next = min(max(position, moment), end)
            defer { position = next }
            return Self.milliseconds(next - position)
        }
        if let opening {
            dns = advance(to: position + opening.nameLookup)
            connect = advance(to: position + length - opening.nameLookup)
            if let handshake = opening.handshake { ssl = min(Self.milliseconds(handshake), connect) }
        }
        send = advance(to: min(phases.sent?.microseconds ?? 0, firstByte ?? end))
        wait = advance(to: firstByte ?? end)
        receive = advance(to: end)
    }

    /// The time to open the connection, in microseconds; `nil` if it was already open or nothing was measured.
    private static func opening(_ phases: HARPhases) -> (length: Int64, nameLookup: Int64, handshake: Int64?)? {
        guard !phases.isReused, let metrics = phases.metrics, !metrics.isReusedConnection else { return nil }
        let length = max(metrics.connect, metrics.secureConnect).microseconds
        guard length > 0 else { return nil }
        let isSecure = metrics.secureConnect > .zero
        let handshake = isSecure ? max(0, (metrics.secureConnect - metrics.connect).microseconds) : nil
        return (length, min(metrics.nameLookup.microseconds, length), handshake)
    }

    private static func milliseconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1000 }
}

extension Duration {
    /// The duration in whole microseconds; a negative one counts as zero.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return min(seconds, 1 << 40) * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
