extension URLRequest {
    /// Adds the fields with which the cache policy instructs caches on the way (RFC 9111 §5.2.1, §5.4), unless the request
    /// already has a `Cache-Control`.
    package mutating func addFieldsOfCachePolicy() {
        let directive: String
        switch cachePolicy {
        case .reloadIgnoringLocalAndRemoteCacheData: directive = "no-cache"
        case .reloadRevalidatingCacheData: directive = "max-age=0"
        default: return
        }
        guard value(forHTTPHeaderField: "Cache-Control") == nil else { return }
        setValue(directive, forHTTPHeaderField: "Cache-Control")
        // HTTP/1.0 caches only understand this field.
        if directive == "no-cache", value(forHTTPHeaderField: "Pragma") == nil {
            setValue(directive, forHTTPHeaderField: "Pragma")
        }
    }
}
