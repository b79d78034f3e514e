#if os(Linux)
extension ConnectionPlan {
    static func routeDependsOnOrigin(_ configuration: TransportConfiguration) -> Bool { false }

    /// Returns the origin of a target if it has a route of its own.
    func routeOrigin(for target: RequestTarget, _ request: TransportRequest) throws -> String? { nil }

    /// Returns libcurl's options for the route of a key.
    func routeOptions(for key: Key) throws -> [CurlOption] { [] }
}
#endif
