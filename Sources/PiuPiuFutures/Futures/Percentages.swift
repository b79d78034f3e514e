/// The completed fractions of a transfer, as PiuPiu 1 computes them; `nil` if the length is unknown or zero.
struct Percentages {
    /// The fraction of the request's body that was sent, from 0 to 1.
    let sent: Float?
    /// The fraction of the response's body that arrived, from 0 to 1.
    let received: Float?

    init(_ progress: TransferProgress) {
        sent = Self.part(progress.bytesSent, progress.bytesToSend ?? -1)
        received = Self.part(progress.bytesReceived, progress.bytesToReceive ?? -1)
    }

    init(_ task: URLSessionTask) {
        sent = Self.part(task.countOfBytesSent, task.countOfBytesExpectedToSend)
        received = Self.part(task.countOfBytesReceived, task.countOfBytesExpectedToReceive)
    }

    /// The average of both fractions if both are known, otherwise the known one.
    var transferred: Float? { Self.average([sent, received]) }

    /// Returns the average of the known values; `nil` if no value is known.
    static func average(_ values: [Float?]) -> Float? {
        let known = values.compactMap { $0 }
        return known.isEmpty ? nil : known.reduce(0, +) / Float(known.count)
    }

    private static func part(_ count: Int64, _ whole: Int64) -> Float? {
        whole > 0 ? min(1, Float(Double(count) / Double(whole))) : nil
    }
}
