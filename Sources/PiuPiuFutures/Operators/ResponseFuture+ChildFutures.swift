extension ResponseFuture where Success: RangeReplaceableCollection, Success.Element: Sendable {
    /// Creates a future that runs other futures at the same time, and produces their values in order.
    ///
    /// The first error cancels the rest and ends the future. Cancelling any of the futures does the same.
    ///
    /// - Parameter childFutures: The futures, which are started with this one; if there are none, this one succeeds.
    public convenience init(childFutures: [ResponseFuture<Success.Element>]) {
        self.init(joining: childFutures) { values in
            Success(values.map { FutureBox<Success.Element>.value(in: $0) })
        }
    }

    /// Creates a future that runs other futures at the same time, like ``init(childFutures:)``.
    ///
    /// - Parameter childFuturesCallback: Creates the futures; called immediately.
    public convenience init(childFuturesCallback: () -> [ResponseFuture<Success.Element>]) {
        self.init(childFutures: childFuturesCallback())
    }

    /// Creates a future that runs other futures at the same time, like ``init(childFutures:)``.
    ///
    /// - Parameter childFutures: The futures.
    public convenience init(arrayLiteral childFutures: ResponseFuture<Success.Element>...) {
        self.init(childFutures: childFutures)
    }
}
