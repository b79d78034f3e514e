import Hummingbird
import NIOConcurrencyHelpers
public import NIOCore

/// The body of a request on its way to the upstream: read once, no faster than the upstream takes it.
///
/// It counts the bytes against a limit, and it knows when its reader is gone. The server reads the next request from the
/// same connection, so that the reader must have ended before the response does.
public final class ForwardedBody: AsyncSequence, Sendable {
    /// A part of the body.
    public typealias Element = ByteBuffer

    /// The number of bytes; `nil` if the client sends the body in chunks.
    public let length: Int?
    private let body: RequestBody
    private let limit: Int
    private let state = NIOLockedValueBox(State.unread)

    private enum State {
        case unread
        case reading(waiter: CheckedContinuation<Void, Never>?)
        case ended
    }

    init(_ body: RequestBody, length: Int?, limit: Int) {
        self.body = body
        self.length = length
        self.limit = limit
    }

    /// Creates the iterator; a second one yields nothing.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> Iterator {
        let isFirst = state.withLockedValue { state in
            guard case .unread = state else { return false }
            state = .reading(waiter: nil)
            return true
        }
        return Iterator(self, isFirst ? body.makeAsyncIterator() : nil)
    }

    /// Waits until nothing reads the body any more, and lets nothing begin to.
    public func end() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLockedValue { state in
                guard case .reading = state else {
                    state = .ended
                    return true
                }
                state = .reading(waiter: continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func readerEnded() {
        let waiter = state.withLockedValue { state -> CheckedContinuation<Void, Never>? in
            defer { state = .ended }
            return if case .reading(let waiter) = state { waiter } else { nil }
        }
        waiter?.resume()
    }
}

extension ForwardedBody {
    /// Reads the body.
    public final class Iterator: AsyncIteratorProtocol {
        private let owner: ForwardedBody
        private var base: RequestBody.AsyncIterator?
        private var count = 0

        fileprivate init(_ owner: ForwardedBody, _ base: RequestBody.AsyncIterator?) {
            self.owner = owner
            self.base = base
        }

        deinit {
            if base != nil { owner.readerEnded() }
        }

        /// Waits for the next part.
        ///
        /// - Returns: The part; `nil` at the end.
        /// - Throws: ``ProxyError/contentTooLarge`` if the body exceeds the limit; the error of the connection.
        public func next() async throws -> ByteBuffer? {
            guard let part = try await base?.next() else {
                end()
                return nil
            }
            count += part.readableBytes
            guard count <= owner.limit else {
                end()
                throw ProxyError.contentTooLarge
            }
            return part
        }

        private func end() {
            guard base != nil else { return }
            base = nil
            owner.readerEnded()
        }
    }
}

@available(*, unavailable)
extension ForwardedBody.Iterator: Sendable {}
