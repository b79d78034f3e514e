import Foundation

/// The bytes of standard input, piece by piece.
struct StandardInput: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        private static let queue = DispatchQueue(label: "Fetch.StandardInput")

        func next() async throws -> Data? {
            // A thread that waits for a keyboard must not be one of those that run tasks.
            try await withCheckedThrowingContinuation { continuation in
                Self.queue.async { continuation.resume(with: Result { try Self.read() }) }
            }
        }

        private static func read() throws -> Data? {
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw FetchError(.notRead, "Standard input cannot be read.") }
                return count == 0 ? nil : Data(buffer[..<count])
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

    /// Reads everything.
    ///
    /// - Returns: The bytes.
    /// - Throws: ``FetchError``.
    static func readAll() throws -> Data {
        do {
            return try FileHandle.standardInput.readToEnd() ?? Data()
        } catch {
            throw FetchError(.notRead, "Standard input cannot be read.")
        }
    }
}
