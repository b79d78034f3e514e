extension ResponseFuture where Success: RangeReplaceableCollection, Success.Element: Sendable {
    /// Does many things at the same time, and gives their values in order.
    ///
    /// The first error cancels the rest and ends the future. So does cancelling any of them.
    ///
    /// - Parameter childFutures: The futures, which are started with this one; where there are none, it succeeds.
    public convenience init(childFutures: [ResponseFuture<Success.Element>]) {
        self.init(joining: childFutures) { values in
            Success(values.map { FutureBox<Success.Element>.value(in: $0) })
        }
    }

    /// Does many things at the same time, and gives their values in order, as ``init(childFutures:)``.
    ///
    /// - Parameter childFuturesCallback: Makes the futures, now.
    public convenience init(childFuturesCallback: () -> [ResponseFuture<Success.Element>]) {
        self.init(childFutures: childFuturesCallback())
    }

    /// Does many things at the same time, and gives their values in order, as ``init(childFutures:)``.
    ///
    /// - Parameter childFutures: The futures.
    public convenience init(arrayLiteral childFutures: ResponseFuture<Success.Element>...) {
        self.init(childFutures: childFutures)
    }
}
