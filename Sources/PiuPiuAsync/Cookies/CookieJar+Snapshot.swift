extension CookieJar {
    /// The cookies of a jar at a moment, with their values: for keeping them, and for showing them to their user.
    ///
    /// ```swift
    /// let data = try JSONEncoder().encode(jar.snapshot)
    /// let restored = CookieJar(try JSONDecoder().decode(CookieJar.Snapshot.self, from: data))
    /// ```
    ///
    /// `Codable` keeps everything. ``netscape`` is the file format of curl and of browsers' exports, which knows neither
    /// `SameSite` nor when a cookie was stored.
    public struct Snapshot: Sendable, Hashable, Codable {
        /// The cookies, oldest first.
        public var cookies: [Cookie]

        /// Creates a snapshot.
        ///
        /// - Parameter cookies: The cookies, oldest first.
        public init(_ cookies: [Cookie] = []) {
            self.cookies = cookies
        }
    }
}

extension CookieJar.Snapshot: Redacted {
    /// The cookies, without their values.
    package var shown: KeyValuePairs<String, Any> { ["cookies": cookies] }
}
