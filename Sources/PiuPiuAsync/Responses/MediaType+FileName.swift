extension MediaType {
    /// Returns the media type of a file, as far as its name shows it.
    ///
    /// The table is small and the same on all platforms; it has the types that servers of files for apps send most.
    ///
    /// - Parameter name: The name of the file.
    /// - Returns: The type; `application/octet-stream` for other names.
    static func name(ofFile name: String) -> String {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let type = parts.last.flatMap({ types[$0.lowercased()] }) else {
            return "application/octet-stream"
        }
        return type
    }

    private static let types: [String: String] = [
        "json": "application/json", "geojson": "application/geo+json", "xml": "application/xml",
        "txt": "text/plain", "log": "text/plain", "md": "text/markdown", "csv": "text/csv",
        "html": "text/html", "htm": "text/html", "css": "text/css", "js": "text/javascript", "mjs": "text/javascript",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "heic": "image/heic", "svg": "image/svg+xml", "ico": "image/vnd.microsoft.icon",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav", "mp4": "video/mp4", "mov": "video/quicktime",
        "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip", "wasm": "application/wasm",
    ]
}
