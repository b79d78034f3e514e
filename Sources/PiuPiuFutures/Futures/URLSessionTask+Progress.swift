/// The progress of a task of your own `URLSession`, as PiuPiu 1 computes it.
///
/// The futures of a dispatcher report a ``TransferTask``, which has the same properties. On Linux, Foundation does not
/// count the received bytes of data and upload tasks.
extension URLSessionTask {
    /// The fraction of the request's body that was sent, from 0 to 1; `nil` if there is no body or its length is unknown.
    public var percentSent: Float? { Percentages(self).sent }
    /// The fraction of the response's body that arrived, from 0 to 1; `nil` if there is no body or its length is unknown.
    public var percentReceived: Float? { Percentages(self).received }
    /// The same as ``percentReceived``, spelled as in PiuPiu 1.
    public var percentRecieved: Float? { percentReceived }
    /// The average of ``percentSent`` and ``percentReceived`` if both are known, otherwise the known one.
    public var percentTransferred: Float? { Percentages(self).transferred }
}

extension Sequence where Element: URLSessionTask {
    /// The average of the known values of `percentSent`; `nil` if none is known.
    public var averagePercentSent: Float? { Percentages.average(map(\.percentSent)) }
    /// The average of the known values of `percentReceived`; `nil` if none is known.
    public var averagePercentReceived: Float? { Percentages.average(map(\.percentReceived)) }
    /// The same as `averagePercentReceived`, spelled as in PiuPiu 1.
    public var averagePercentRecieved: Float? { averagePercentReceived }
    /// The average of the known values of `percentTransferred`; `nil` if none is known.
    public var averagePercentTransferred: Float? { Percentages.average(map(\.percentTransferred)) }

    /// The tasks that have ended.
    public var completed: [Element] { filter { $0.state == .completed } }
    /// The tasks that are being cancelled.
    public var cancelling: [Element] { filter { $0.state == .canceling } }
    /// The tasks that are running.
    public var running: [Element] { filter { $0.state == .running } }
    /// The tasks that were suspended or not yet resumed.
    public var suspended: [Element] { filter { $0.state == .suspended } }
}
