extension TransportError.Code {
    package var words: ErrorWords {
        switch storage {
        case .invalidRequest:
            .init(
                "The request cannot be sent as it is",
                "The method, a header field or the body is not allowed in HTTP, or the request has two bodies.",
                "Correct the part that the text names, in the code that makes the request."
            )
        case .invalidURL:
            .init(
                "The URL cannot be used",
                "The URL is missing, has no host, or contains a space or another character that must be percent-encoded.",
                "Build the URL with URLComponents, or send a path with a base URL.",
                setting: "configuration.baseURL"
            )
        case .unsupportedScheme:
            .init(
                "The URL's scheme is neither http nor https",
                "The URL begins with something other than http:// or https://, often because a scheme was forgotten.",
                "Use an http or https URL. Files are read only if configuration.allowsFileURLs is on.",
                setting: "configuration.allowsFileURLs"
            )
        case .cannotResolveHost:
            .init(
                "The host's name could not be resolved",
                "The host's name is misspelled, or the machine has no working DNS server.",
                "Check the name, and look it up on the same machine, for instance with getent hosts."
            )
        case .cannotConnect:
            .init(
                "The connection could not be opened",
                "Nothing listens on that port, the machine is off, or a firewall rejects the connection.",
                "Check the host and the port, and that the server runs. Nothing was sent, so trying again is safe.",
                setting: "RetryPolicy"
            )
        case .tls:
            .init(
                "The TLS handshake failed",
                "The certificate is not trusted, has expired or is for another host, or both sides have no TLS version in "
                    + "common.",
                "Read TransportError.tlsFailure, which says what went wrong and what to do.",
                setting: "configuration.transport"
            )
        case .proxy:
            .init(
                "The proxy could not be used",
                "The proxy is not reachable, or refuses the request, often because it requires credentials.",
                "Read TransportError.proxyFailure for the proxy's answer, and check its address and credentials.",
                setting: "configuration.transport.proxy"
            )
        case .queueTimeout:
            .init(
                "No connection became free in time",
                "All connections to the server were busy for the whole time.",
                "Allow more connections, or send fewer requests at once.",
                setting: "configuration.timeouts.queue, configuration.connections"
            )
        case .connectTimeout:
            .init(
                "The connection could not be opened in time",
                "The server or the network is down, or a firewall drops the packets.",
                "Check the host and the port, and whether other machines reach it. Nothing was sent, so trying again is "
                    + "safe.",
                setting: "configuration.timeouts.connect"
            )
        case .headTimeout:
            .init(
                "The head of the response did not arrive in time",
                "The server took the request and is slow to answer it.",
                "Look at the server's log, or allow more time.",
                setting: "configuration.timeouts.head"
            )
        case .idleTimeout:
            .init(
                "No data was sent or received for too long",
                "The server or the network stalled: no byte was sent or received during that time.",
                "Look at the server's log, or allow more time, as for a server that works long before it answers.",
                setting: "configuration.timeouts.idle"
            )
        case .totalTimeout:
            .init(
                "The call took too long",
                "All attempts, redirects and waits together took longer than the call may take.",
                "Allow more time, or find the slow part in Response.metrics or with an observer.",
                setting: "configuration.timeouts.total"
            )
        case .attemptTimeout:
            .init(
                "The attempt took too long",
                "One attempt took longer than the retry policy allows, and no attempt was left.",
                "Allow more time for an attempt, or more attempts.",
                setting: "RetryPolicy.attemptTimeout"
            )
        case .connectionLost:
            .init(
                "The connection ended before the response arrived",
                "The server closed the connection without a response: it crashed, was restarted, or closed an idle "
                    + "connection at that moment.",
                "Look at the server's log. Requests whose method is idempotent can be tried again.",
                setting: "RetryPolicy"
            )
        case .truncatedBody:
            .init(
                "The connection ended before the body was complete",
                "The server or a proxy on the way ended the connection while it was sending the body.",
                "Try again; a download can resume. If it always happens at the same position, check the server's log.",
                setting: "DownloadOptions.resume"
            )
        case .malformedHead:
            .init(
                "The head of the response is malformed",
                "Something other than an HTTP server listens on that port, or the server contradicts itself about the "
                    + "length of the body.",
                "Check the port and the scheme of the URL, and look at the response with curl -v."
            )
        case .malformedBody:
            .init(
                "The body of the response is malformed",
                "The chunks of the body, or its compression, are broken.",
                "Look at the response with curl --raw. If only the compression is broken, turn decompression off.",
                setting: "configuration.options.decompression"
            )
        case .http2:
            .init(
                "The HTTP/2 stream failed",
                "The server reset the stream, or broke the rules of HTTP/2.",
                "Look at the server's log for the number in the text. To rule HTTP/2 out, use HTTP/1.1.",
                setting: "configuration.transport.http2"
            )
        case .headTooLarge:
            .init(
                "The head of the response is too large",
                "The server sends more header fields than usual, often cookies or tokens.",
                "Have the server send less, or raise the limit.",
                setting: "configuration.options.maximumHead"
            )
        case .bodyTooLarge:
            .init(
                "The body of the response is too large",
                "The response exceeds the limit for responses in memory.",
                "Save the response with download(for:to:), read it as a stream, or raise the limit.",
                setting: "configuration.maximumBufferedBody"
            )
        case .decompressionLimit:
            .init(
                "The body of the response grows too much when it is decompressed",
                "A small response decompresses to a very large one, by accident or to attack the client.",
                "If the server is trusted, raise the ratio.",
                setting: "configuration.options.decompression"
            )
        case .tooManyRedirects:
            .init(
                "There were too many redirects",
                "Pages of the server redirect to each other, often because a cookie or a login is missing.",
                "Look at TransportError.response for the last location. Raise the limit only if that many redirects are expected.",
                setting: "configuration.redirects?.limit"
            )
        case .redirectLoop:
            .init(
                "The redirects form a loop",
                "A page redirects to one before it, often because a cookie or a login is missing.",
                "Add a cookie jar or the credentials that the server expects.",
                setting: "configuration.redirects?.allowsCycles"
            )
        case .unsafeRedirect:
            .init(
                "The redirect is not safe to follow",
                "An https URL redirects to an http URL, which would show the request to the network.",
                "Use the redirect's target as the URL, or have the server redirect to https.",
                setting: "configuration.redirects?.allowsDowngrade"
            )
        case .invalidRedirect:
            .init(
                "The location of the redirect is not a URL",
                "The server sends a Location that is not a URL.",
                "Have the server send a valid Location. To get the redirect itself as the response, follow none.",
                setting: "configuration.redirects"
            )
        case .shutDown:
            .init(
                "The dispatcher or its transport was already shut down",
                "A request was sent after shutdown or invalidateAndCancel, or the last reference to the dispatcher was "
                    + "released before the response was read to its end.",
                "Keep the dispatcher in a property while requests are sent and streams are read, and shut it down last."
            )
        case .libraryUnavailable:
            .init(
                "A library that the transport needs cannot be used",
                "OpenSSL is not installed, or is too old.",
                "Install the package that the text names, such as libssl3, also in the container that runs the program."
            )
        case .outOfResources:
            .init(
                "The system ran out of memory or file descriptors",
                "Too many sockets or files are open, or memory ran out.",
                "Keep one dispatcher instead of one for each request, limit its connections, and raise ulimit -n.",
                setting: "configuration.connections"
            )
        case .unsupported:
            .init(
                "The transport does not support what was requested",
                "A setting asks for something that this transport, or the library below it, does not have.",
                "Remove the setting that the text names, or use another transport.",
                setting: "configuration.transport"
            )
        case .adapterReleased:
            .init(
                "The dispatcher's adapter was released",
                "The dispatcher holds a single adapter weakly, and nothing else held it.",
                "Keep the adapter in a property, or pass it in requestAdapters: or responseAdapters:."
            )
        case .forbiddenAddress:
            .init(
                "The request guard forbids the address",
                "The URL, or the address that its name leads to, is one that the request guard does not allow.",
                "If the address is meant to be reached, allow it in the guard. Otherwise, reject the URL where it comes "
                    + "from.",
                setting: "configuration.transport.requestGuard"
            )
        }
    }
}
