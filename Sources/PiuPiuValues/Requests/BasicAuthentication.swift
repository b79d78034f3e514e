/// The `Authorization` and `Proxy-Authorization` of HTTP Basic (RFC 7617).
package enum BasicAuthentication {
    /// Returns the value of the field for a user name and a password.
    ///
    /// - Parameters:
    ///   - user: The user name, without a colon and control characters.
    ///   - password: The password, without control characters.
    /// - Returns: The value.
    /// - Throws: ``AuthenticationError`` with the code `invalidUserName` or `invalidPassword`.
    package static func value(user: String, password: String) throws(AuthenticationError) -> String {
        guard !user.utf8.contains(UInt8(ascii: ":")), !hasControlCharacters(user) else {
            throw AuthenticationError(.invalidUserName)
        }
        guard !hasControlCharacters(password) else { throw AuthenticationError(.invalidPassword) }
        let text = "\(user):\(password)".precomposedStringWithCanonicalMapping
        return "Basic \(Data(text.utf8).base64EncodedString())"
    }

    /// Whether a text has a control character, of ASCII (RFC 7617 §2) or of Unicode (RFC 8265 §3.1).
    private static func hasControlCharacters(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
