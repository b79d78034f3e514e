/// Observes the bytes of a body as they pass, for recordings, checksums and logs.
///
/// An interceptor adds an observer to a body with ``ResponseBody/observed(by:)`` or ``RequestBody/observed(by:)``. The reading
/// task calls the methods one after the other, in the order of the bytes. Only ``close()`` can be called on another thread at
/// the same time, when the dispatcher is invalidated or the body is dropped.
public protocol BodyObserver: Sendable {
    /// Called before a chunk is delivered to the reader.
    ///
    /// - Parameter chunk: The chunk, which is never empty.
    func observe(_ chunk: Data)

    /// Called after the body was read to its end.
    ///
    /// - Throws: Any error; the reader receives it instead of the end.
    func finish() async throws

    /// Called if the body ends too early.
    ///
    /// - Parameter error: The error that the reader receives.
    func fail(_ error: any Error)

    /// Called if the body is abandoned before its end, which can happen after ``fail(_:)``.
    func close()
}

extension ResponseBody {
    /// Adds an observer to this body.
    ///
    /// Read the returned body, and no longer this one. Nothing is read ahead: the observer sees only the bytes that the reader
    /// requests.
    ///
    /// - Parameter observer: The observer.
    /// - Returns: The new body.
    public func observed(by observer: some BodyObserver) -> ResponseBody {
        ResponseBody(ObservedSource(reader: reader, observer: observer), expectedLength: expectedLength)
    }

    private struct ObservedSource<Observer: BodyObserver>: ResponseBodySource {
        let reader: Reader
        let observer: Observer

        func next(isolation: isolated (any Actor)?) async throws -> Data? {
            do {
                if try reader.goOn(), let chunk = try await reader.source.next(isolation: isolation) {
                    if !chunk.isEmpty { observer.observe(chunk) }
                    return chunk
                }
            } catch {
                let error = reader.fail(error)
                observer.fail(error)
                throw error
            }
            reader.end()
            try await observer.finish()
            return nil
        }

        func close() {
            reader.close()
            observer.close()
        }

        var trailers: HTTPHeaderFields { reader.source.trailers }
    }
}
