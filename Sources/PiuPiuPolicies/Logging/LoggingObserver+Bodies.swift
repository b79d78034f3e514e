extension LoggingObserver {
    /// The bodies that a line shows, and the secrets hidden in them.
    ///
    /// ```swift
    /// let log = LoggingObserver(bodies: .upTo(500))
    /// let strict = LoggingObserver(bodies: .upTo(500, hiding: LoggingObserver.Bodies.usualSecrets + ["iban"]))
    /// ```
    ///
    /// The lines of exchanges end with `request_body` and `response_body`. Text, JSON, XML and URL-encoded forms are shown as
    /// text, with the escapes of the line. All other bodies are shown by their size and type, and so are bodies that are still
    /// compressed, and text that is neither UTF-8 nor ISO 8859-1. An ellipsis at the end means that a part is missing: the body
    /// is longer than the limit, or it failed before its end.
    ///
    ///     … request_body="{\"user\":\"mona\",\"password\":\"<redacted>\"}" response_body="<7102 bytes of image/png>"
    ///
    /// The log replaces the values of everything with the name of a secret, even if the limit truncates the body inside a
    /// value: in JSON at any depth and in strings of JSON, in elements and attributes of XML and HTML, in forms, in URLs
    /// anywhere in text, in arguments, and in lines such as `Authorization: Bearer …`. It also hides the request's own
    /// credentials, cookies and keys of at least 12 bytes, wherever a body repeats them in a usual spelling. Secrets under
    /// other names are shown.
    public struct Bodies: Sendable {
        /// The number of bytes to show at the beginning of each body.
        let limit: Int
        private let scrubber: SecretScrubber?

        /// No bodies.
        public static let none = Bodies(limit: 0, scrubber: nil)

        /// The beginning of each body.
        ///
        /// - Parameters:
        ///   - limit: The number of bytes to show. They are kept in memory for each exchange in progress.
        ///   - names: The names of fields whose values are hidden, compared by word: `password` also hides
        ///     `user[newPassword]`. Unless the list is empty, codes and signatures in URLs and forms are hidden, too.
        /// - Returns: The bodies to show.
        public static func upTo(_ limit: Int, hiding names: [String] = usualSecrets) -> Bodies {
            let items = names + SecretScrubber.usualItemNames
            return Bodies(
                limit: max(0, limit),
                scrubber: names.isEmpty ? nil : SecretScrubber(items: items, fields: names)
            )
        }

        /// The names that common services use for passwords, tokens and keys, and those of header fields with secrets, which
        /// servers repeat in bodies.
        public static let usualSecrets: [String] =
            SecretWords.usualNames + SecretScrubber.usualFieldNames

        /// Returns a body for a line, also without the secrets of its request; `nil` if it is not shown.
        func shown(_ body: ObservedBody?, hiding secrets: @autoclosure () -> SecretFinder) -> LogBody? {
            body?.limited(to: limit).map { body in
                LogBody(body) { bytes, type in
                    guard let scrubber else { return bytes }
                    // Do this first, because a secret that is truncated later still looks like one.
                    let scrubbed = scrubber.body(bytes, type: type, keepsShape: false)
                    return secrets().hidden(in: scrubbed, isCut: !body.isWhole, .placeholder)
                }
            }
        }
    }
}
