extension URLRequest {
    /// Writes the request as a command line for the program `curl`, without its secrets.
    ///
    /// ```swift
    /// print(try request.curlCommand())
    /// ```
    ///
    /// Run by a POSIX shell and `curl` 7.43 or newer, the command with its secrets sends the same head and the same
    /// body as ``SocketTransport`` without further settings, except for the order of the header fields. It contains the
    /// fields that the transport adds, such as `User-Agent`, and turns off those that `curl` would add. It starts with
    /// `-q`, so that `curl` does not read the user's configuration file. It does not follow redirects. It has neither the
    /// additions of an adapter, an interceptor or the dispatcher (see
    /// ``TransportRequest/curlCommand(showingSecrets:userAgent:)``) nor settings of the transport, such as proxies and
    /// certificates.
    ///
    /// On Apple systems, `curl` chooses the codings that it accepts itself. Versions of `curl` differ in whether
    /// they write `%2E` for `%2e`.
    ///
    /// Unless `showingSecrets` is `true`, `<redacted>` replaces
    /// - the values of `Authorization`, `Cookie` and the other fields that descriptions hide, and of
    ///   `sensitiveHeaders`,
    /// - the query, as in other descriptions of requests, and the body: tokens and passwords may have any name there.
    ///
    /// URLs in other fields, such as `Referer`, have no query either.
    ///
    /// User information in the URL is sent as `Authorization`, and hidden with it. The names of files and the path of
    /// the URL are always shown.
    ///
    /// Text is in single quotes (POSIX Shell Command Language §2.2.2). Bodies with line ends, control characters or
    /// bytes that are not UTF-8, and those longer than 64 KiB, are printed by `printf`; those longer than 1 MiB are not
    /// shown, and the command reads them from standard input, as a comment in its first line says.
    ///
    /// - Parameters:
    ///   - showingSecrets: Whether the command contains everything that is sent, so that it can be run.
    ///   - sensitiveHeaders: Names of secret header fields, in addition to the standard ones.
    ///   - userAgent: The `User-Agent` of a request without its own, as in ``TransportConfiguration/userAgent``; `nil`
    ///     for none.
    /// - Returns: The command, without a line end after its last line.
    /// - Throws: ``TransportError`` as sending the request would, with the code `invalidRequest`, `invalidURL` or
    ///   `unsupportedScheme`, or with the code `unsupported` if the head is larger than 96 KiB.
    public func curlCommand(
        showingSecrets: Bool = false,
        sensitiveHeaders: [String] = [],
        userAgent: String? = TransportConfiguration().userAgent
    ) throws -> String {
        let options = RequestOptions(sensitiveHeaders: sensitiveHeaders)
        let prepared = try PreparedRequest(TransportRequest(self, options: options), userAgent: userAgent)
        let redaction = Redaction.standard.hiding(sensitiveHeaders)
        return try CurlCommand(prepared, hiding: showingSecrets ? nil : redaction).text
    }
}

extension TransportRequest {
    /// Writes the request as a command line for the program `curl`, without its secrets.
    ///
    /// Like `URLRequest.curlCommand(showingSecrets:sensitiveHeaders:userAgent:)`, with the ``options``, with ``body``,
    /// and, in the last interceptor, with everything that the dispatcher and the interceptors before it added:
    /// - A file is read by `curl` (`--data-binary @/path`); its path is shown.
    /// - The pieces of a form with files are printed by `printf` and `cat`.
    /// - Files that are compressed while they are sent pass through `gzip`, whose bytes may differ.
    /// - A stream cannot be shown: the command reads it from standard input, as a comment in its first line says. The
    ///   stream is not consumed.
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
        let redaction = Redaction.standard.hiding(options.sensitiveHeaders)
        return try CurlCommand(prepared, hiding: showingSecrets ? nil : redaction).text
    }
}
