extension URLRequest {
    /// Adds the fields by which the cache policy asks the caches on the way (RFC 9111 §5.2.1, §5.4), unless the request has
    /// a `Cache-Control` of its own.
    mutating func addFieldsOfCachePolicy() {
        let directive: String
        switch cachePolicy {
        case .reloadIgnoringLocalAndRemoteCacheData: directive = "no-cache"
        case .reloadRevalidatingCacheData: directive = "max-age=0"
        default: return
        }
        guard value(forHTTPHeaderField: "Cache-Control") == nil else { return }
        setValue(directive, forHTTPHeaderField: "Cache-Control")
        // Caches of HTTP/1.0 know nothing else.
        if directive == "no-cache", value(forHTTPHeaderField: "Pragma") == nil {
            setValue(directive, forHTTPHeaderField: "Pragma")
        }
    }
}
