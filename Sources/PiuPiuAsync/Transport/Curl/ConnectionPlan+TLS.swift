#if os(Linux)
extension ConnectionPlan {
    static func tlsDependsOnOrigin(_ configuration: TransportConfiguration) -> Bool { false }

    /// Returns the origin of a target if it has TLS settings of its own.
    func tlsOrigin(for target: RequestTarget) -> String? { nil }

    /// Returns libcurl's options for the TLS settings of a key.
    func tlsOptions(for key: Key) throws -> [CurlOption] { [] }
}
#endif
