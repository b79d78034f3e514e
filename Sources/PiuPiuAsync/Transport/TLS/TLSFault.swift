/// Errors about TLS settings that cannot be applied.
package enum TLSFault {
    /// Returns an error.
    ///
    /// - Parameter reason: Why, without keys, passphrases and pins.
    /// - Returns: The error; nothing was sent.
    package static func error(_ reason: String) -> TransportError { TransportError(.unsupported, reason: reason) }
}
