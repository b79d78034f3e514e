#if os(Linux)
/// A command that a transport sends to an event loop, in addition to the start of exchanges.
package enum LoopCommand: Sendable {
    /// Cancel an exchange that was started.
    case cancel(ExchangeTicket)
    /// Resume a paused exchange in one direction.
    case resume(ExchangeTicket, TransferDirection)
    /// Close the connections of retired profiles when their last exchange ends.
    case retire
    /// Refuse new exchanges, wait for those in flight to end, then stop.
    case shutDown(CheckedContinuation<Void, Never>?)
    /// Refuse new exchanges, cancel those in flight, then stop.
    case invalidate

    /// Answers a command that arrived after the loop stopped.
    package func refuse() {
        if case .shutDown(let waiter) = self { waiter?.resume() }
    }
}

extension ExchangeStreams {
    /// Whether an exchange needs streams or a reporter; most don't.
    package static func areNeeded(for request: TransportRequest) -> Bool {
        request.delivery == .streamed || request.body != nil || request.reporter != nil
    }

    /// Creates the streams and the reporter of an exchange, which send commands about it to its loop.
    package convenience init(
        for request: TransportRequest,
        _ ticket: ExchangeTicket,
        submit: @escaping @Sendable (LoopCommand) -> Void
    ) {
        let inbound =
            request.delivery == .streamed
            ? InboundBody(
                resume: { submit(.resume(ticket, .receiving)) },
                cancel: { if ticket.cancel() { submit(.cancel(ticket)) } }
            ) : nil
        let wake: @Sendable () -> Void = { submit(.resume(ticket, .sending)) }
        let tunnel = request.tunnel.map { tunnel in
            let line = TunnelLine(
                wake: wake,
                resume: { submit(.resume(ticket, .receiving)) },
                cancel: { if ticket.cancel() { submit(.cancel(ticket)) } }
            )
            return (tunnel, line)
        }
        self.init(inbound: inbound, reporter: request.reporter, tunnel: tunnel, wakeSending: wake)
    }
}
#endif
