extension TransportRequest {
    /// Writes the request as a command line for the program `curl`, without its secrets.
    ///
    /// Like `URLRequest.curlCommand(showingSecrets:sensitiveHeaders:userAgent:)`, with the ``options``, with ``body``,
    /// and, in the last interceptor, with all that the dispatcher and the interceptors before it added:
    /// - A file is read by `curl` (`--data-binary @/path`); its path is shown.
    /// - The pieces of a form with files are printed by `printf` and `cat`.
    /// - Files that are compressed while they are sent pass through `gzip`, whose bytes may differ.
    /// - A stream cannot be shown: the command reads it from standard input, as a comment in its first line says. The
    ///   stream is not used up.
    ///
    /// Files are checked, and bodies in memory compressed, as for sending.
    ///
    /// - Parameters:
    ///   - showingSecrets: Whether the command contains everything that is sent, so that it can be run.
    ///   - userAgent: The `User-Agent` of a request without its own, as in ``TransportConfiguration/userAgent``; `nil`
    ///     for none.
    /// - Returns: The command, without a line end after its last line.
    /// - Throws: ``TransportError`` as sending the request would, with the code `invalidRequest`, `invalidURL` or
    ///   `unsupportedScheme`, or with the code `unsupported` if the head is larger than 96 KiB or the body has
    ///   trailers; ``TransferError`` if a file cannot be sent; `CancellationError` if the task is cancelled.
    public func curlCommand(
        showingSecrets: Bool = false,
        userAgent: String? = TransportConfiguration().userAgent
    ) async throws -> String {
        let prepared = try await PreparedRequest.make(self, userAgent: userAgent)
        let redaction = Redaction.descriptions.hiding(options.sensitiveHeaders)
        return try CurlCommand(prepared, hiding: showingSecrets ? nil : redaction).text
    }
}
