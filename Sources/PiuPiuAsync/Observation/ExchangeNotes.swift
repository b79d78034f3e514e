/// What the reporter of an exchange knows: the observers, and what the summary needs.
///
/// A part of the exchange, which one thread passes on to another: each further object is another piece of memory that the
/// other has to wait for. Its properties are read one by one, because a copy counts references to all of them.
struct ExchangeNotes {
    /// What few exchanges have.
    final class Details {
        var metrics: ExchangeMetrics?
        /// The most that an observer wants of a body; 0 for nothing.
        let bodyLimit: Int
        /// The beginning of the response's body.
        private var body: BodyBeginning
        /// The head of the response whose body it is.
        private var head: RawHead?
        /// Whether the body is passed on decompressed.
        private var isDecoded = false

        init(bodyLimit: Int) {
            self.bodyLimit = bodyLimit
            body = BodyBeginning(limit: bodyLimit)
        }

        /// Takes the head of the response whose body follows.
        func take(_ head: RawHead) {
            if bodyLimit > 0 { self.head = head }
        }

        /// Takes the next bytes of the body.
        func take(_ bytes: UnsafeRawBufferPointer, isDecoded: Bool) {
            guard bodyLimit > 0 else { return }
            body.append(bytes)
            self.isDecoded = isDecoded
        }

        /// Begins anew, because the request is sent again.
        func restart() { body.restart() }

        /// The beginning of the response's body; `nil` if nothing of it arrived.
        func responseBody(isComplete: Bool) -> ObservedBody? {
            guard body.size > 0 else { return nil }
            let encoding = ReadableBody.coding(head?.values(of: "Content-Encoding") ?? [], isDecoded: isDecoded)
            return ObservedBody(body, isComplete: isComplete, head?.firstValue(of: "Content-Type"), encoding)
        }
    }

    /// The observers; `nil` after the end.
    ///
    /// Unmanaged: all threads share them, and counting references to them costs more than an event. Whoever has the reporter
    /// keeps the list, and the list keeps its links: ``ObservedExchange/takeReporter()`` returns both.
    var observers: Unmanaged<ObserverLink>?
    /// The connection that the exchange used last.
    var connection: ObservedConnection?
    /// The status code of the response; 0 before there is one.
    var statusCode = 0
    /// `nil` unless an observer wants bodies or the exchange failed.
    var details: Details?

    // Inlined, and each property set once, because the value would otherwise be copied into the exchange.
    @inline(__always)
    init(_ observers: ObserverList) {
        self.observers = observers.first.map(Unmanaged.passUnretained)
        details = observers.bodyLimit > 0 ? Details(bodyLimit: observers.bodyLimit) : nil
    }
}
