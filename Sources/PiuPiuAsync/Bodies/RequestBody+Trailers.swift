extension RequestBody {
    /// Returns the same body, followed by fields that are computed after it was read (RFC 9110 §6.5).
    ///
    /// ```swift
    /// let body = RequestBody.stream(events).withTrailers(["X-Event-Count"]) {
    ///     ["X-Event-Count": "\(await counter.value)"]
    /// }
    /// ```
    ///
    /// The closure runs once for each sending of the body, after the last byte was handed over, and never on a thread of
    /// the transport. An error that it throws ends the upload and reaches the caller unchanged.
    ///
    /// The names are announced in `Trailer` (RFC 9110 §6.6.2). A name that is not a token, or that means nothing after
    /// the content, such as `Content-Length` or `Authorization` (§6.5.1), makes the request fail with
    /// ``TransportError/Code/invalidRequest`` before anything is sent. So does, after the content, a field that was not
    /// announced, a value with a control character, or more than 60 KiB of fields.
    ///
    /// The body is sent in chunks (RFC 9112 §7.1), even if its length is known, and ``length`` is `nil`: trailers have no
    /// place elsewhere in HTTP/1.1. `URLSession` sends no trailers, and refuses such a request with
    /// ``TransportError/Code/unsupported``.
    ///
    /// - Parameters:
    ///   - names: The names of all fields that may follow.
    ///   - compute: Returns the fields; those that are announced may be missing.
    /// - Returns: The body; other trailers of the body are replaced.
    public func withTrailers(
        _ names: [HTTPHeaderName],
        _ compute: @escaping @Sendable () async throws -> HTTPHeaderFields
    ) -> RequestBody {
        with(RequestTrailers(names: names) { RequestTrailers.Computation(finish: compute) })
    }

    /// Returns the same body, followed by fields that are computed from the bytes that are sent, such as a checksum.
    ///
    /// ```swift
    /// let body = RequestBody.file(fileURL).gzipped().withTrailers(["X-Sum"], from: UInt64(0)) { sum, bytes in
    ///     for byte in bytes { sum = sum &* 31 &+ UInt64(byte) }
    /// } compute: { sum in
    ///     ["X-Sum": String(sum, radix: 16)]
    /// }
    /// ```
    ///
    /// The bytes are those of the content: compressed if the body is, and without the framing of chunks. If the body is
    /// sent again, the state begins anew. Everything else is as with ``withTrailers(_:_:)``.
    ///
    /// - Parameters:
    ///   - names: The names of all fields that may follow.
    ///   - initial: The state before the first bytes.
    ///   - update: Adds the next bytes to the state; called in the order in which they are sent.
    ///   - compute: Returns the fields for the state after the last bytes.
    /// - Returns: The body; other trailers of the body are replaced.
    public func withTrailers<State: Sendable>(
        _ names: [HTTPHeaderName],
        from initial: State,
        update: @escaping @Sendable (inout State, Data) -> Void,
        compute: @escaping @Sendable (State) async throws -> HTTPHeaderFields
    ) -> RequestBody {
        with(
            RequestTrailers(names: names) {
                // One task at a time uses it; the lock only says so to the compiler.
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
