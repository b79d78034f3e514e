#if os(Linux)
/// Why TLS cannot be set up at all, before any connection.
package struct TLSSetupFailure: Error, Sendable, Hashable {
    /// The reason as text, without secrets.
    package var reason: String

    /// Creates a failure with a reason, which must not contain secrets.
    package init(reason: String) {
        self.reason = reason
    }
}
#endif
