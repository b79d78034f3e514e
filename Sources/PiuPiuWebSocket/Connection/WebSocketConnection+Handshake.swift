// The way from a request to an open WebSocket.
extension WebSocketConnection {
    /// The tunnel to open.
    package var tunnel: Tunnel {
        let http2: Tunnel.HTTP2 =
            switch options.http2 {
            case .automatic: .ifOpen
            case .preferred: .preferred
            case .never: .never
            }
        return Tunnel(protocolName: "websocket", http2: http2, end: self)
    }

    /// Returns the request to send for the program's request; throws ``WebSocketError`` with the code `invalidArgument`.
    package func request(for request: URLRequest) throws -> URLRequest { try handshake.request(for: request) }

    /// Gives a WebSocket up whose handshake failed, so that a late response does not open it.
    package func cancel() { abandon(.goingAway) }

    /// Returns the error of a handshake without a response.
    package func handshakeError(_ error: any Error, for request: URLRequest) -> any Error {
        guard TransportError.Code.malformedHead ~= error, let reason = state.withLock({ $0.refusal }) else {
            return error
        }
        var refusal = WebSocketError(.invalidHandshake, reason: reason)
        refusal.request = Redaction.standard.request(request)
        refusal.response = (error as? TransportError)?.response
        return refusal
    }

    /// Returns the WebSocket of a response; throws ``WebSocketError/Code/handshakeRejected`` if the server did not agree.
    package func start(_ response: Response<ResponseBody>) async throws -> WebSocket {
        guard agreement != nil else { throw await rejection(response) }
        let socket = WebSocket(self, ResponseHead(record: response.record))
        attach(response.data)
        return socket
    }

    private func rejection(_ response: Response<ResponseBody>) async -> any Error {
        abandon(.goingAway)
        var body = Data()
        do {
            for try await chunk in response.data {
                body += chunk.prefix(UnacceptableResponseError.bodyLimit - body.count)
                if body.count >= UnacceptableResponseError.bodyLimit { break }
            }
        } catch is CancellationError {
            return CancellationError()
        } catch {
            // What has arrived of the body is better than nothing.
        }
        var error = WebSocketError(.handshakeRejected)
        let record = response.record
        let redaction = Redaction(additionalNames: record.values.sensitiveHeaders)
        error.request = redaction.request(record.urlRequest)
        error.response = redaction.head(ResponseHead(record: record), answering: record.urlRequest)
        error.body = body.isEmpty ? nil : body
        return error
    }
}

extension WebSocketError {
    /// The error of a transport that opens no tunnels.
    package static func unsupported(_ request: URLRequest) -> WebSocketError {
        var error = WebSocketError(.unsupported)
        error.request = request.url == nil ? nil : Redaction.standard.request(request)
        return error
    }
}

extension WebSocket {
    /// Closes at the end of a scope; does not wait if the task was cancelled.
    package func finish(_ code: WebSocketCloseCode) async {
        guard !Task.isCancelled else { return connection.abandon(.goingAway) }
        _ = try? await connection.close(code, "")
    }
}
