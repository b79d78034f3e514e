/// The beginning of a body that passes, up to a limit.
package struct BodyBeginning: Sendable {
    /// The first bytes.
    package private(set) var bytes = Data()
    /// The number of bytes that passed.
    package private(set) var size = 0
    private let limit: Int

    /// Creates the beginning of a body of which nothing has passed.
    ///
    /// - Parameter limit: The number of bytes to keep.
    package init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Takes the next bytes.
    ///
    /// - Parameter chunk: The bytes.
    package mutating func append(_ chunk: Data) {
        if bytes.count < limit { bytes += chunk.prefix(limit - bytes.count) }
        size += chunk.count
    }

    /// Takes the next bytes.
    ///
    /// - Parameter chunk: The bytes.
    mutating func append(_ chunk: UnsafeRawBufferPointer) {
        if bytes.count < limit { bytes.append(contentsOf: chunk.prefix(limit - bytes.count)) }
        size += chunk.count
    }

    /// Begins anew, because the body is sent again.
    mutating func restart() {
        self = BodyBeginning(limit: limit)
    }
}
