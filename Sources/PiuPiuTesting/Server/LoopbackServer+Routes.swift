extension LoopbackServer {
    /// Answers requests for a path with a script.
    ///
    /// The server compares paths as they arrive, without the query. A later route for the same method and path replaces an
    /// earlier one. Requests for unknown paths get a 404.
    ///
    /// - Parameters:
    ///   - path: The path, without a query.
    ///   - script: The steps.
    public func route(_ path: String, _ script: Step...) {
        sequence(nil, path, [script])
    }

    /// Answers requests for a path with a script.
    ///
    /// - Parameters:
    ///   - path: The path, without a query.
    ///   - script: The steps.
    public func route(_ path: String, _ script: [Step]) {
        sequence(nil, path, [script])
    }

    /// Answers requests for a method and a path with a script.
    ///
    /// - Parameters:
    ///   - method: The method, or `nil` for all methods without their own route.
    ///   - path: The path, without a query.
    ///   - script: The steps.
    public func route(_ method: String?, _ path: String, _ script: Step...) {
        sequence(method, path, [script])
    }

    /// Answers requests for a method and a path with a script.
    ///
    /// - Parameters:
    ///   - method: The method, or `nil` for all methods without their own route.
    ///   - path: The path, without a query.
    ///   - script: The steps.
    public func route(_ method: String?, _ path: String, _ script: [Step]) {
        sequence(method, path, [script])
    }

    /// Answers requests for a path with a script that the server creates for each request, when the request's body is complete.
    ///
    /// - Parameters:
    ///   - path: The path, without a query.
    ///   - respond: Creates the script; it runs on the server's thread, so it must not block.
    public func route(_ path: String, respond: @escaping @Sendable (RecordedRequest) -> [Step]) {
        route(nil, path, respond: respond)
    }

    /// Answers requests for a method and a path with a script created for each request, when the request's body is complete.
    ///
    /// - Parameters:
    ///   - method: The method, or `nil` for all methods without their own route.
    ///   - path: The path, without a query.
    ///   - respond: Creates the script; it runs on the server's thread, so it must not block.
    public func route(_ method: String?, _ path: String, respond: @escaping @Sendable (RecordedRequest) -> [Step]) {
        // This releases the replaced route outside the lock.
        _ = core.update { $0.routes.set(method, path, .dynamic(respond)) }
    }

    /// Answers requests for a path with several scripts, one after the other; the last one repeats.
    ///
    /// - Parameters:
    ///   - path: The path, without a query.
    ///   - scripts: The scripts, in the order of the requests.
    public func sequence(_ path: String, _ scripts: [[Step]]) {
        sequence(nil, path, scripts)
    }

    /// Answers requests for a method and a path with several scripts, one after the other; the last one repeats.
    ///
    /// - Parameters:
    ///   - method: The method, or `nil` for all methods without their own route.
    ///   - path: The path, without a query.
    ///   - scripts: The scripts, in the order of the requests.
    public func sequence(_ method: String?, _ path: String, _ scripts: [[Step]]) {
        _ = core.update { $0.routes.set(method, path, .sequence(scripts, next: 0)) }
    }
}
