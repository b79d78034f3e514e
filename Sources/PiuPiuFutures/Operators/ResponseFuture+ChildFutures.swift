extension ResponseFuture where Success: RangeReplaceableCollection, Success.Element: Sendable {
    /// Does many things at the same time, and gives their values in order.
    ///
    /// The first error cancels the rest and ends the future. So does cancelling any of them.
    ///
    /// - Parameter childFutures: The futures, which are started with this one; where there are none, it succeeds.
    public convenience init(childFutures: [ResponseFuture<Success.Element>]) {
        self.init(
            .operation { context in
                try await withThrowingTaskGroup(of: (Int, Success.Element).self) { group in
                    for (index, future) in childFutures.enumerated() {
                        group.addTask { (index, try await future.value(context)) }
                    }
                    var values = [Success.Element?](repeating: nil, count: childFutures.count)
                    for try await (index, value) in group { values[index] = value }
                    return Success(values.compactMap { $0 })
                }
            }
        )
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
