/// Something that happened in a call of a dispatcher.
public struct ExchangeEvent: Sendable {
    /// What the event is about; one reference, because there are many events.
    private enum Subject: Sendable {
        case call(ObservedCall)
        case exchange(ObservedExchange)
    }

    private let subject: Subject

    /// The call.
    public var call: ObservedCall {
        switch subject {
        case .call(let call): call
        case .exchange(let exchange): exchange.call
        }
    }

    /// The exchange that is a part of the call; `nil` for an event of the call itself.
    public var exchange: ObservedExchange? {
        if case .exchange(let exchange) = subject { exchange } else { nil }
    }

    /// What happened; ``Kind`` has all kinds and their order.
    public let kind: Kind
    /// The head that arrived, for an event of the kind `head`.
    package let responseHead: ObservedHead?

    /// Creates an event of a call.
    init(_ call: ObservedCall, _ kind: Kind) {
        subject = .call(call)
        self.kind = kind
        responseHead = nil
    }

    /// Creates an event of an exchange.
    init(_ exchange: ObservedExchange, _ kind: Kind, responseHead: ObservedHead? = nil) {
        subject = .exchange(exchange)
        self.kind = kind
        self.responseHead = responseHead
    }

    /// What happened.
    ///
    /// A call:
    ///
    ///     callStarted ─▶ (exchanges, redirected, retryPlanned, cached)* ─▶ callEnded
    ///
    /// An exchange:
    ///
    ///     exchangeStarted ─▶ queued? ─▶ connectionTaken ─▶ requestSent ─▶ informational* ─▶ head ─▶ exchangeEnded
    ///
    /// `bodySent` follows `connectionTaken`, any number of times; `bodyReceived` follows `head`.
    ///
    /// Each start has one end. An exchange can end at any point, and then skips the rest. `requestSent` and `bodySent` can
    /// follow an interim response or the head, if a server answers before it has the whole request, and are missing if it
    /// does not want the rest. After `restarted`, the exchange goes on with `connectionTaken`.
    ///
    /// A call may have no exchange, for example if a cache answers it. Its exchanges end before it does, except those that
    /// the call does not wait for: it was cancelled or reached its deadline, a hedge lost, the body was abandoned. If the work
    /// of an ended call goes on, because calls share it (``Coalescing``), its next exchange is a call of its own.
    ///
    /// The transport of Linux reports all of this. Other transports report the start, the head and the end.
    public enum Kind: Sendable {
        /// A call began.
        case callStarted
        /// An exchange began. ``ObservedExchange/attempt`` says why.
        case exchangeStarted
        /// The exchange waits, because as many connections are in use as ``ConnectionLimits`` allow.
        case queued
        /// The exchange has a connection, on which its request is sent next.
        case connectionTaken(ObservedConnection)
        /// The request is sent again, because the connection proved unfit before the server processed it, or because the
        /// server refused the expectation of an interim response (417).
        case restarted
        /// Bytes of the request's body were passed to the connection; the number since the event before.
        case bodySent(Int)
        /// The whole request was passed to the connection.
        case requestSent
        /// An interim response (1xx) arrived.
        case informational(StatusCode)
        /// The head of the response arrived.
        case head(StatusCode)
        /// Bytes of the response's body arrived; their number, after decompression.
        case bodyReceived(Int)
        /// The exchange is over.
        case exchangeEnded(ExchangeSummary)
        /// The response was a redirect that is followed.
        ///
        /// - Parameters:
        ///   - statusCode: The status code of the response.
        ///   - location: The target, without user information, query and fragment.
        case redirected(StatusCode, location: String)
        /// The request will be sent again.
        ///
        /// - Parameters:
        ///   - cause: Why.
        ///   - delay: How long that is waited for, apart from the time in which the response before is read to its end.
        case retryPlanned(Attempt.Cause, delay: Duration)
        /// A ``ResponseCache`` was asked. The call may have exchanges before and after, and be told of several times, as of
        /// each request of a redirect chain.
        case cached(CacheStatus)
        /// The call is over: its result is about to be delivered or, for a stream, was read.
        case callEnded(ObservedOutcome)
    }
}

extension ExchangeEvent: Redacted {
    /// The kind and the place, without secrets.
    package var shown: KeyValuePairs<String, Any> {
        ["call": call.id, "exchange": exchange?.number ?? 0, "kind": "\(kind)"]
    }
}
