/// The beginning of a body, up to a limit, collected while the body passes.
package struct BodyBeginning: Sendable {
    /// The first bytes.
    package private(set) var bytes = Data()
    /// The number of bytes seen so far.
    package private(set) var size = 0
    private let limit: Int

    /// Creates the beginning of a body, with the maximum number of bytes to keep.
    package init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Adds the next bytes.
    package mutating func append(_ chunk: Data) {
        if bytes.count < limit { bytes += chunk.prefix(limit - bytes.count) }
        size += chunk.count
    }

    /// Adds the next bytes.
    mutating func append(_ chunk: UnsafeRawBufferPointer) {
        if bytes.count < limit { bytes.append(contentsOf: chunk.prefix(limit - bytes.count)) }
        size += chunk.count
    }

    /// Starts over, because the body is sent again.
    mutating func restart() {
        self = BodyBeginning(limit: limit)
    }
}
