extension TransportError {
    /// The kind of a transport failure.
    ///
    /// Later versions may add codes: a `switch` over them needs a `default`.
    public struct Code: ErrorCode {
        package enum Storage: Int, Sendable, CaseIterable {
            case invalidRequest = 1, invalidURL, unsupportedScheme
            case cannotResolveHost, cannotConnect, tls, proxy
            case queueTimeout = 20, connectTimeout, headTimeout, idleTimeout, totalTimeout, attemptTimeout
            case connectionLost = 8, truncatedBody
            case malformedHead, malformedBody, http2
            case headTooLarge, bodyTooLarge, decompressionLimit
            case tooManyRedirects, redirectLoop, unsafeRedirect, invalidRedirect
            case shutDown = 30, libraryUnavailable, outOfResources, unsupported, adapterReleased
            case forbiddenAddress
        }

        package typealias Failure = TransportError
        package let storage: Storage

        package init(storage: Storage) { self.storage = storage }

        /// The method, a header field or the body is not valid, and must not be sent.
        ///
        /// Nothing was sent.
        public static let invalidRequest = Code(storage: .invalidRequest)
        /// The URL is missing, has no host, or contains a character that must not be sent.
        ///
        /// Nothing was sent.
        public static let invalidURL = Code(storage: .invalidURL)
        /// The URL's scheme is neither `http` nor `https`.
        ///
        /// Nothing was sent.
        public static let unsupportedScheme = Code(storage: .unsupportedScheme)
        /// The host's name could not be resolved.
        ///
        /// Nothing was sent.
        public static let cannotResolveHost = Code(storage: .cannotResolveHost)
        /// The connection could not be opened.
        ///
        /// Nothing was sent.
        public static let cannotConnect = Code(storage: .cannotConnect)
        /// The TLS handshake failed, or the server's certificate is not trusted.
        ///
        /// Nothing was sent.
        public static let tls = Code(storage: .tls)
        /// The proxy could not be reached, or refused the request.
        public static let proxy = Code(storage: .proxy)
        /// The connection ended before the head of the response was complete.
        public static let connectionLost = Code(storage: .connectionLost)
        /// The connection ended inside the body.
        public static let truncatedBody = Code(storage: .truncatedBody)
        /// The head of the response is not valid HTTP, or contradicts itself.
        public static let malformedHead = Code(storage: .malformedHead)
        /// The body's framing or compression is invalid.
        public static let malformedBody = Code(storage: .malformedBody)
        /// The peer violated the rules of HTTP/2, or reset the stream.
        public static let http2 = Code(storage: .http2)
        /// The head of the response is larger than ``RequestOptions/maximumHead``.
        public static let headTooLarge = Code(storage: .headTooLarge)
        /// The body is larger than ``RequestOptions/maximumBufferedBody``.
        public static let bodyTooLarge = Code(storage: .bodyTooLarge)
        /// Decompression enlarged the body more than ``RequestOptions/decompression`` allows.
        public static let decompressionLimit = Code(storage: .decompressionLimit)
        /// There were more redirects than the policy allows.
        public static let tooManyRedirects = Code(storage: .tooManyRedirects)
        /// A redirect led back to a previous request of the call.
        public static let redirectLoop = Code(storage: .redirectLoop)
        /// A redirect led from https to http, or to a scheme that is neither.
        public static let unsafeRedirect = Code(storage: .unsafeRedirect)
        /// The `Location` of a redirect is not a URL.
        public static let invalidRedirect = Code(storage: .invalidRedirect)
        /// The dispatcher or transport was already shut down.
        ///
        /// Nothing was sent.
        public static let shutDown = Code(storage: .shutDown)
        /// A library that the transport needs is missing or too old, such as OpenSSL.
        ///
        /// Nothing was sent.
        public static let libraryUnavailable = Code(storage: .libraryUnavailable)
        /// Memory or descriptors ran out, or the memory shared by compressed streams is used up.
        public static let outOfResources = Code(storage: .outOfResources)
        /// The transport cannot apply a setting, or cannot send the request in that way; ``TransportError/reason`` has the
        /// details.
        ///
        /// Nothing was sent, with one exception: ``URLSessionTransport`` detects some of the cases, which it lists, only in the
        /// response. If the configured transport of a dispatcher cannot be created, every request throws this code.
        public static let unsupported = Code(storage: .unsupported)
        /// The adapter of a dispatcher was released; a dispatcher holds a single adapter weakly.
        ///
        /// Nothing was sent, unless the adapter was released while the call waited for its response.
        public static let adapterReleased = Code(storage: .adapterReleased)
        /// The ``RequestGuard`` forbids the address, the port, the scheme or the name of the host.
        ///
        /// Nothing was sent there, and ``RetryPolicy`` does not try again. ``TransportError/reason`` names the rule; it can
        /// contain an address of your network.
        public static let forbiddenAddress = Code(storage: .forbiddenAddress)

        /// A time limit was reached.
        ///
        /// - Parameter phase: The phase that took too long.
        /// - Returns: The code for that phase.
        public static func timeout(_ phase: TimeoutPhase) -> Code { Code(storage: timeouts[phase] ?? .attemptTimeout) }

        /// The phase that took too long; `nil` for any other code.
        public var timeoutPhase: TimeoutPhase? {
            Self.timeouts.first { $0.value == storage }?.key
        }

        private static let timeouts: [TimeoutPhase: Storage] = [
            .queue: .queueTimeout, .connect: .connectTimeout, .head: .headTimeout, .idle: .idleTimeout,
            .total: .totalTimeout, .attempt: .attemptTimeout,
        ]

        /// Whether the code alone implies that no byte of the request was sent.
        package var meansNothingWasSent: Bool {
            switch storage {
            case .cannotResolveHost, .cannotConnect, .proxy, .queueTimeout, .connectTimeout: true
            default: false
            }
        }

        /// Whether the request was refused before any work, so that its duration is meaningless.
        var isRefusal: Bool {
            switch storage {
            case .invalidRequest, .invalidURL, .unsupportedScheme, .shutDown, .libraryUnavailable, .unsupported,
                .adapterReleased, .forbiddenAddress:
                true
            default: false
            }
        }
    }
}

extension TransportError.Code {
    /// The code's name, such as `cannotConnect` or `timeout(idle)`.
    public var description: String {
        if let phase = timeoutPhase { return "timeout(\(phase.rawValue))" }
        return "\(storage)"
    }
}
