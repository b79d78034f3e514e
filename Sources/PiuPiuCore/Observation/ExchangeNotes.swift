/// The state of an exchange's reporter: the observers, and the data for the summary.
///
/// It is a part of the exchange, which one thread passes on to another: each further object is another piece of memory that the
/// other thread has to wait for. Its properties are read one by one, because copying it would count references to all of them.
struct ExchangeNotes {
    /// The properties that few exchanges have.
    final class Details {
        var metrics: ExchangeMetrics?
        /// The largest number of bytes of a body that an observer wants; 0 for none.
        let bodyLimit: Int
        /// The beginning of the response's body.
        private var body: BodyBeginning
        /// The head of the response with that body.
        private var head: RawHead?
        /// Whether the body is passed on decompressed.
        private var isDecoded = false

        init(bodyLimit: Int) {
            self.bodyLimit = bodyLimit
            body = BodyBeginning(limit: bodyLimit)
        }

        /// Records the head of the response whose body follows.
        func take(_ head: RawHead) {
            if bodyLimit > 0 { self.head = head }
        }

        /// Records the next bytes of the body.
        func take(_ bytes: UnsafeRawBufferPointer, isDecoded: Bool) {
            guard bodyLimit > 0 else { return }
            body.append(bytes)
            self.isDecoded = isDecoded
        }

        /// Starts over, because the request is sent again.
        func restart() { body.restart() }

        /// Returns the beginning of the response's body; `nil` if no byte of it arrived.
        func responseBody(isComplete: Bool) -> ObservedBody? {
            guard body.size > 0 else { return nil }
            let encoding = ReadableBody.coding(head?.values(of: "Content-Encoding") ?? [], isDecoded: isDecoded)
            return ObservedBody(body, isComplete: isComplete, head?.firstValue(of: "Content-Type"), encoding)
        }
    }

    /// The observers; `nil` after the end.
    ///
    /// Unmanaged: all threads share them, and counting references to them costs more than an event. The owner of the reporter
    /// keeps the list, and the list keeps its links: ``ObservedExchange/takeReporter()`` returns both.
    var observers: Unmanaged<ObserverLink>?
    /// The connection that the exchange used last.
    var connection: ObservedConnection?
    /// The status code of the response; 0 before there is one.
    var statusCode = 0
    /// `nil` unless an observer wants bodies or the exchange failed.
    var details: Details?

    // Inlined, with each property set once, because the value would otherwise be copied into the exchange.
    @inline(__always)
    init(_ observers: ObserverList) {
        self.observers = observers.first.map(Unmanaged.passUnretained)
        details = observers.bodyLimit > 0 ? Details(bodyLimit: observers.bodyLimit) : nil
    }
}
