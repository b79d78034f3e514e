/// The progress of a task of your own `URLSession`, as PiuPiu 1 computes it.
///
/// The futures of a dispatcher report a ``TransferTask``, which has the same properties. On Linux, Foundation counts no
/// received bytes for data and upload tasks.
extension URLSessionTask {
    /// The part of the request's body that was sent, from 0 to 1; `nil` if there is no body or its length is not known.
    public var percentSent: Float? { Percentages(self).sent }
    /// The part of the response's body that arrived, from 0 to 1; `nil` if there is no body or its length is not known.
    public var percentReceived: Float? { Percentages(self).received }
    /// The same as ``percentReceived``, spelled as in PiuPiu 1.
    public var percentRecieved: Float? { percentReceived }
    /// The average of the parts that were sent and that arrived if both are known, otherwise the one that is known.
    public var percentTransferred: Float? { Percentages(self).transferred }
}

extension Sequence where Element: URLSessionTask {
    /// The average of `percentSent` over the tasks that know it; `nil` if none does.
    public var averagePercentSent: Float? { Percentages.average(map(\.percentSent)) }
    /// The average of `percentReceived` over the tasks that know it; `nil` if none does.
    public var averagePercentReceived: Float? { Percentages.average(map(\.percentReceived)) }
    /// The same as `averagePercentReceived`, spelled as in PiuPiu 1.
    public var averagePercentRecieved: Float? { averagePercentReceived }
    /// The average of `percentTransferred` over the tasks that know it; `nil` if none does.
    public var averagePercentTransferred: Float? { Percentages.average(map(\.percentTransferred)) }

    /// The tasks that have ended.
    public var completed: [Element] { filter { $0.state == .completed } }
    /// The tasks that are being cancelled.
    public var cancelling: [Element] { filter { $0.state == .canceling } }
    /// The tasks that are running.
    public var running: [Element] { filter { $0.state == .running } }
    /// The tasks that were suspended, or not yet resumed.
    public var suspended: [Element] { filter { $0.state == .suspended } }
}
