extension TransferError {
    /// Adds what only the dispatcher knows: the request, and how long the call took.
    package mutating func complete(_ request: TransportRequest, elapsed: Duration?) {
        if self.request == nil {
            self.request = Redaction(additionalNames: request.options.sensitiveHeaders).request(request.urlRequest)
        }
        if let elapsed { self.elapsed = elapsed }
    }
}

extension TransportError {
    /// Adds what only the dispatcher knows: the request, the limit that was reached, and how long the call took.
    ///
    /// - Parameters:
    ///   - request: The call's request.
    ///   - configured: The dispatcher's options.
    ///   - elapsed: How long the call took.
    package mutating func complete(_ request: TransportRequest, _ configured: RequestOptions, elapsed: Duration?) {
        if self.request == nil {
            self.request = Redaction(additionalNames: request.options.sensitiveHeaders).request(request.urlRequest)
        }
        // A buffered body is collected by functions that have limits of their own, and do not know whose limit it is.
        if limit == nil || code == .bodyTooLarge && request.delivery == .buffered {
            limit = Limit(code, of: request, configured)
        }
        if let elapsed { self.elapsed = elapsed }
    }
}

extension TransportError.Limit {
    /// Finds the limit that a failure of a request is about; `nil` if it is not about one.
    ///
    /// - Parameters:
    ///   - code: The kind of the failure.
    ///   - request: The request.
    ///   - configured: The dispatcher's options.
    init?(_ code: TransportError.Code, of request: TransportRequest, _ configured: RequestOptions) {
        let options = request.options
        func time(_ path: KeyPath<Timeouts, Duration?>, _ name: String) -> TransportError.Limit? {
            guard let limit = options.timeouts[keyPath: path] else { return nil }
            let place = limit == configured.timeouts[keyPath: path] ? "configuration" : "options"
            return TransportError.Limit("\(place).timeouts.\(name)", duration: limit)
        }
        func size(_ path: KeyPath<RequestOptions, Int>, _ ours: String, _ name: String) -> TransportError.Limit {
            let limit = options[keyPath: path]
            let isConfigured = limit == configured[keyPath: path]
            return TransportError.Limit(isConfigured ? ours : "options.\(name)", byteCount: Int64(limit))
        }
        let limit: TransportError.Limit? =
            switch code {
            case .timeout(.queue): time(\.queue, "queue")
            case .timeout(.connect): time(\.connect, "connect")
            case .timeout(.head): time(\.head, "head")
            case .timeout(.idle):
                if let limit = options.timeouts.idle, limit == .seconds(request.urlRequest.timeoutInterval),
                    limit != configured.timeouts.idle
                {
                    TransportError.Limit("URLRequest.timeoutInterval", duration: limit)
                } else {
                    time(\.idle, "idle")
                }
            case .timeout(.total):
                if let shared = options.deadline, let deadline = request.deadline, shared <= deadline {
                    TransportError.Limit(TransportError.Limit.sharedDeadline)
                } else {
                    time(\.total, "total") ?? TransportError.Limit("TransportRequest.deadline")
                }
            case .bodyTooLarge:
                request.delivery == .buffered
                    ? size(\.maximumBufferedBody, "configuration.maximumBufferedBody", "maximumBufferedBody") : nil
            case .headTooLarge: size(\.maximumHead, "configuration.options.maximumHead", "maximumHead")
            default: nil
            }
        guard let limit else { return nil }
        self = limit
    }
}
