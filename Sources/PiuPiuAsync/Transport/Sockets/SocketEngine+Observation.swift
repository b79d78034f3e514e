#if os(Linux)
extension SocketEngine {
    /// Tells observers of the connection that an exchange has taken.
    func observe(_ connection: SocketConnection, _ exchange: SocketExchange, isReused: Bool) {
        guard isReused else {
            let described = connection.described(isReused: false)
            if let observers = exchange.observers {
                let monitor = ConnectionMonitor(described, to: exchange.request.target.origin, observers)
                connection.monitor = monitor
                monitor.reportOpened()
            }
            return exchange.reportConnection(described)
        }
        exchange.reportConnection(connection.monitor?.reused ?? connection.described(isReused: true))
    }
}
#endif
