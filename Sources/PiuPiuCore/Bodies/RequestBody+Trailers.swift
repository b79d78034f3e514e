extension RequestBody {
    /// Returns the same body, followed by fields that are computed after the body was read (RFC 9110 §6.5).
    ///
    /// ```swift
    /// let body = RequestBody.stream(events).withTrailers(["X-Event-Count"]) {
    ///     ["X-Event-Count": "\(await counter.value)"]
    /// }
    /// ```
    ///
    /// The closure runs each time the body is sent, after its last byte was passed to the transport, and never on a thread of
    /// the transport. If it throws an error, the upload ends, and the caller receives the error unchanged.
    ///
    /// `Trailer` announces the names (RFC 9110 §6.6.2). If a name is not a token, or has no meaning after the content, such as
    /// `Content-Length` or `Authorization` (§6.5.1), the request fails with ``TransportError/Code/invalidRequest`` before
    /// anything is sent. The same error occurs after the content if a field was not announced, if a value contains a control
    /// character, or if the fields exceed 60 KiB.
    ///
    /// The body is sent in chunks (RFC 9112 §7.1), even if its length is known, and ``length`` is `nil`: HTTP/1.1 allows
    /// trailers only there. `URLSession` sends no trailers, so its transport refuses such a request with
    /// ``TransportError/Code/unsupported``.
    ///
    /// - Parameters:
    ///   - names: The names of all fields that may follow.
    ///   - compute: Returns the fields; announced fields may be missing.
    /// - Returns: The body. Trailers that it had before are replaced.
    public func withTrailers(
        _ names: [HTTPHeaderName],
        _ compute: @escaping @Sendable () async throws -> HTTPHeaderFields
    ) -> RequestBody {
        with(RequestTrailers(names: names) { RequestTrailers.Computation(finish: compute) })
    }

    /// Returns the same body, followed by fields that are computed from the sent bytes, such as a checksum.
    ///
    /// ```swift
    /// let body = RequestBody.file(fileURL).gzipped().withTrailers(["X-Sum"], from: UInt64(0)) { sum, bytes in
    ///     for byte in bytes { sum = sum &* 31 &+ UInt64(byte) }
    /// } compute: { sum in
    ///     ["X-Sum": String(sum, radix: 16)]
    /// }
    /// ```
    ///
    /// The bytes are those of the content: compressed if the body is compressed, and without chunk framing. If the body is sent
    /// again, the state starts over. Everything else is as with ``withTrailers(_:_:)``.
    ///
    /// - Parameters:
    ///   - names: The names of all fields that may follow.
    ///   - initial: The state before the first bytes.
    ///   - update: Adds the next bytes to the state; called in the order in which the bytes are sent.
    ///   - compute: Returns the fields for the state after the last bytes.
    /// - Returns: The body. Trailers that it had before are replaced.
    public func withTrailers<State: Sendable>(
        _ names: [HTTPHeaderName],
        from initial: State,
        update: @escaping @Sendable (inout State, Data) -> Void,
        compute: @escaping @Sendable (State) async throws -> HTTPHeaderFields
    ) -> RequestBody {
        with(
            RequestTrailers(names: names) {
                // Only one task at a time uses the state; the lock is there for the compiler's check.
                let state = Locked(initial)
                return RequestTrailers.Computation(
                    observe: { bytes in state.withLock { update(&$0, bytes) } },
                    finish: { try await compute(state.withLock { $0 }) }
                )
            }
        )
    }

    private func with(_ trailers: RequestTrailers) -> RequestBody {
        var copy = self
        copy.trailers = trailers
        return copy
    }
}
