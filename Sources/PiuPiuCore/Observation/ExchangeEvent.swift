/// An event of a dispatcher's call.
public struct ExchangeEvent: Sendable {
    /// The call or exchange of the event, as one reference, because there are many events.
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

    /// The exchange of the call; `nil` for an event of the call itself.
    public var exchange: ObservedExchange? {
        if case .exchange(let exchange) = subject { exchange } else { nil }
    }

    /// The kind of event; ``Kind`` has all kinds and their order.
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

    /// The kind of event.
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
    /// The call of a WebSocket, whose exchange stays open, has `webSocketMessage` for each message after `head`, and then
    /// `webSocketClosed`, once. Messages that are sent may be reported by the tasks that send them.
    ///
    /// Each start has one end. An exchange can end at any point, and then skips the rest. If a server responds before it has
    /// the whole request, `requestSent` and `bodySent` can follow an interim response or the head, and are missing if the
    /// server does not accept the rest. After `restarted`, the exchange continues with `connectionTaken`.
    ///
    /// A call may have no exchange, for example if a cache answers it. Its exchanges end before it does, except those that it
    /// does not wait for: because it was cancelled or reached its deadline, a hedge lost, or the body was abandoned. If the
    /// work of an ended call continues, because calls share it (``Coalescing``), its next exchange is a call of its own.
    ///
    /// The transport for Linux reports all kinds. Other transports report the start, the head and the end.
    public enum Kind: Sendable {
        /// A call began.
        case callStarted
        /// An exchange began. ``ObservedExchange/attempt`` contains the reason.
        case exchangeStarted
        /// The exchange waits, because all connections that ``ConnectionLimits`` allow are in use.
        case queued
        /// The exchange has a connection, and sends its request next.
        case connectionTaken(ObservedConnection)
        /// The exchange sends its request again, because the connection proved unusable before the server processed the
        /// request, or because the server refused the expectation of an interim response (417).
        case restarted
        /// The number of bytes of the request's body that were passed to the connection since the previous event.
        case bodySent(Int)
        /// The whole request was passed to the connection.
        case requestSent
        /// An interim response (1xx) arrived.
        case informational(StatusCode)
        /// The head of the response arrived.
        case head(StatusCode)
        /// The number of bytes of the response's body that arrived, after decompression.
        case bodyReceived(Int)
        /// The exchange is over.
        case exchangeEnded(ExchangeSummary)
        /// The call follows a redirect.
        ///
        /// - Parameters:
        ///   - statusCode: The status code of the response.
        ///   - location: The target, without user information, query and fragment.
        case redirected(StatusCode, location: String)
        /// The call will send the request again.
        ///
        /// - Parameters:
        ///   - cause: The cause of the retry.
        ///   - delay: The wait before the retry, without the time to read the previous response to its end.
        case retryPlanned(Attempt.Cause, delay: Duration)
        /// A ``ResponseCache`` handled a request. The call may have exchanges before and after, and several such events, such
        /// as one for each request of a redirect chain.
        case cached(CacheStatus)
        /// A message of a WebSocket arrived, or was passed to the connection.
        case webSocketMessage(ObservedMessage)
        /// A WebSocket ended.
        ///
        /// - Parameters:
        ///   - code: The code of the side that closed it (RFC 6455 §7.4); 1006 if the connection ended without one.
        ///   - isClean: Whether both sides sent a close frame.
        case webSocketClosed(code: Int, isClean: Bool)
        /// The call is over: its result is about to be delivered, or the body of its stream was read.
        case callEnded(ObservedOutcome)
    }
}

extension ExchangeEvent: Redacted {
    /// The kind and the location, without secrets.
    package var shown: KeyValuePairs<String, Any> {
        ["call": call.id, "exchange": exchange?.number ?? 0, "kind": "\(kind)"]
    }
}
