/// A function that chooses the proxy of each request.
///
/// ```swift
/// configuration.transport.proxy = .choosing { url in url.host() == "partner.example" ? proxy : nil }
/// ```
///
/// Two values are equal only if they are the same object; this makes configurations comparable.
public final class ProxyFunction: Sendable {
    /// Chooses the proxy.
    ///
    /// It receives the URL of a request without user information and fragment, and returns the proxy, or `nil` for none. The
    /// task that sends the request calls it for each request and each redirect that it follows, so it should not block. If it
    /// throws, the request fails with that error, and nothing is sent.
    public typealias Choice = @Sendable (_ url: URL) throws -> ProxyServer?

    package let choose: Choice

    /// Creates an object from a function.
    ///
    /// - Parameter choose: The function.
    public init(_ choose: @escaping Choice) {
        self.choose = choose
    }
}

extension ProxyFunction: Hashable {
    /// Returns whether both are the same object.
    ///
    /// - Parameters:
    ///   - lhs: An object.
    ///   - rhs: Another object.
    /// - Returns: `true` if they are the same.
    public static func == (lhs: ProxyFunction, rhs: ProxyFunction) -> Bool { lhs === rhs }

    /// Hashes the object's identity.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ProxyFunction: Redacted {
    /// Nothing, because the values that the function captures can be secret.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
