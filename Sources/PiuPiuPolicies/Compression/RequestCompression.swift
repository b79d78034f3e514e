/// An interceptor that compresses the bodies of requests with gzip.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(interceptors: [RequestCompression()])
/// ```
///
/// The server must support gzip: HTTP has no way to ask first. A server that doesn't responds with 415, and may name the
/// codings it accepts in `Accept-Encoding` (RFC 9110 §12.5.3, §15.5.16); the policy returns this response unchanged, and does
/// not send the request again. Use the policy for servers that are known to accept gzip, and ``RequestBody/gzipped()`` for
/// single uploads.
///
/// The policy compresses a body if all of this is true:
///
/// - The request has no `Content-Encoding`, and no field that describes the uncompressed bytes: `Content-Range`, `Content-MD5`,
///   `Digest`, `Content-Digest` and `Repr-Digest`.
/// - The body has at least ``minimumLength`` bytes, or its length is unknown.
/// - The function passed to the initializer agrees; by default, it does unless `Content-Type` names a format that is already
///   compressed, such as JPEG.
///
/// The policy compresses bytes in memory at once, away from the caller's actor, and sends the original bytes if compression
/// does not make them smaller. It compresses files, forms and streams while it sends them, with less than a mebibyte of memory
/// each. The length of such a body is unknown, so HTTP/1.1 sends it in chunks (RFC 9112 §7.1), which a server that only knows
/// HTTP/1.0 does not understand. A stream's bytes wait until a block of them is compressed; do not compress a stream whose
/// parts must arrive at once. A body that could be sent more than once still can.
///
/// The progress of an upload counts compressed bytes. If the compressed length is unknown, the total is that of the
/// uncompressed body until the upload ends.
///
/// Put the policy outside a retry policy, so that each attempt does not compress again, and outside anything that signs or
/// records the bytes sent. If the system has no zlib, requests whose body would be compressed throw a ``TransportError`` with
/// the code `unsupported`.
public struct RequestCompression: Interceptor {
    /// The minimum length of a body to compress, in bytes; an empty body is never compressed.
    public var minimumLength: Int
    private let shouldCompress: @Sendable (URLRequest) -> Bool
    /// Whether zlib is available.
    var isAvailable = Compressor.isAvailable

    /// `false`: the policy treats all callers alike.
    public var distinguishesCallers: Bool { false }

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - minimumLength: The minimum length of a body to compress, in bytes; 1024 by default, because for smaller bodies gzip
    ///     adds about as many bytes as it saves.
    ///   - shouldCompress: Returns whether the body of a request may be compressed; by default
    ///     ``isCompressible(_:)``.
    public init(
        minimumLength: Int = 1024,
        shouldCompress: @escaping @Sendable (URLRequest) -> Bool = { RequestCompression.isCompressible($0) }
    ) {
        self.minimumLength = minimumLength
        self.shouldCompress = shouldCompress
    }

    /// Returns whether the content type of a request allows compression to save space.
    ///
    /// - Parameter request: The request.
    /// - Returns: `false` for images, sound, video, fonts and archives in formats that are already compressed; `true` for
    ///   everything else, and if there is no content type.
    public static func isCompressible(_ request: URLRequest) -> Bool {
        guard let type = request.value(forHTTPHeaderField: "Content-Type").flatMap({ MediaType($0) }) else {
            return true
        }
        switch type.type {
        case "image": return ["svg+xml", "bmp", "x-icon", "vnd.microsoft.icon"].contains(type.subtype)
        case "audio": return ["wav", "x-wav", "aiff", "x-aiff", "midi"].contains(type.subtype)
        case "video": return false
        case "font": return ["ttf", "otf", "collection", "sfnt"].contains(type.subtype)
        case "application": return !compressedApplications.contains(type.subtype)
        default: return true
        }
    }

    private static let compressedApplications: Set<String> = [
        "gzip", "x-gzip", "zip", "x-zip-compressed", "zstd", "x-bzip2", "x-xz", "x-7z-compressed", "vnd.rar",
        "x-rar-compressed", "java-archive", "epub+zip", "vnd.android.package-archive",
    ]

    /// What to do with a request.
    enum Decision {
        /// Send the body unchanged.
        case leave
        /// Compress bytes in memory.
        case data(Data)
        /// Compress the body while it is sent.
        case body(RequestBody)
    }

    /// Decides by the rules of the policy; `length` is that of the body, and `nil` if it is unknown.
    func decision(for request: TransportRequest, length: Int64?) -> Decision {
        let urlRequest = request.urlRequest
        // Foundation on Linux traps if code changes a request without a URL; the dispatcher refuses it.
        guard urlRequest.url != nil, urlRequest.httpBodyStream == nil else { return .leave }
        guard Self.binding.allSatisfy({ urlRequest.value(forHTTPHeaderField: $0) == nil }) else { return .leave }
        // A transport refuses a request with two bodies.
        guard urlRequest.httpBody == nil || request.body == nil else { return .leave }
        if let data = urlRequest.httpBody ?? request.body?.data {
            guard data.count >= max(1, minimumLength), shouldCompress(urlRequest) else { return .leave }
            return .data(data)
        }
        guard let body = request.body, !body.isCompressed else { return .leave }
        guard length ?? .max >= Int64(max(1, minimumLength)), shouldCompress(urlRequest) else { return .leave }
        return .body(body)
    }

    /// The fields that describe the uncompressed bytes (RFC 9110 §8.4 and §14.4, RFC 9530).
    private static let binding = [
        "Content-Encoding", "Content-Range", "Content-MD5", "Digest", "Content-Digest", "Repr-Digest",
    ]

    /// Compresses the body of a request and sends it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The response.
    /// - Throws: ``TransportError`` with the code `unsupported` if the system has no zlib; `CancellationError` if the task
    ///   is cancelled, and the errors of `next`.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        switch decision(for: request, length: await Self.length(of: request.body)) {
        case .leave: return try await next(request)
        case .data(let data):
            var request = request
            let compressed = try await GzipEncoder.compressed([data], below: data.count, isAvailable: isAvailable)
            guard let compressed else { return try await next(request) }
            RequestBody.declareGzip(&request.urlRequest)
            if request.body == nil {
                request.urlRequest.httpBody = compressed
            } else {
                request.body = .data(compressed)
            }
            return try await next(request)
        case .body(let body):
            _ = try GzipEncoder(isAvailable: isAvailable)
            var request = request
            RequestBody.declareGzip(&request.urlRequest)
            request.body = body.gzipped()
            return try await next(request)
        }
    }

    private static func length(of body: RequestBody?) async -> Int64? {
        guard let body else { return nil }
        return body.hasFiles ? await FileWorker().run { body.length } : body.length
    }
}

extension RequestCompression: Redacted {
    /// The minimum length.
    package var shown: KeyValuePairs<String, Any> { ["minimumLength": minimumLength] }
}
