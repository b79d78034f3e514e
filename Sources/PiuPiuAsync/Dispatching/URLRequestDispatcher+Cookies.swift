#if Policies
extension URLRequestDispatcher.Configuration {
    /// The cookies of the user for whom the dispatcher sends requests; `nil` by default: none are stored or sent.
    ///
    /// A jar is a reference: dispatchers with the same configuration share it, and therefore the user.
    public var cookies: CookieJar? {
        get { cookieJar as? CookieJar }
        set { cookieJar = newValue }
    }
}
#endif
