extension TransportConfiguration {
    /// Returns whether HTTP/2 is spoken with a target without TLS.
    func speaksHTTP2WithoutTLS(_ target: RequestTarget) -> Bool {
        cleartextHTTP2.contains { (try? RequestTarget($0))?.usualOrigin == target.usualOrigin }
    }
}
