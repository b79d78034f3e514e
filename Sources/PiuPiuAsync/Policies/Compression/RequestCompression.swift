/// An interceptor that compresses the bodies of requests with gzip.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(interceptors: [RequestCompression()])
/// ```
///
/// Servers must know the coding: HTTP has no way to ask first. One that does not know it answers with 415, and may name
/// the codings it accepts in `Accept-Encoding` (RFC 9110 §12.5.3, §15.5.16); the response is returned as it is, and the
/// request is not sent again. Use the policy for servers that are known to accept gzip, and
/// ``RequestBody/gzipped()`` for single uploads.
///
/// A body is compressed if all of this is true:
///
/// - The request has no `Content-Encoding`, and no field that belongs to the bytes as they are: `Content-Range`,
///   `Content-MD5`, `Digest`, `Content-Digest` and `Repr-Digest`.
/// - The body has at least ``minimumLength`` bytes, or its length is unknown.
/// - The function that was given to the initializer agrees; by default, unless `Content-Type` names a format that is
///   compressed already, such as a JPEG.
///
/// Bytes in memory are compressed at once, away from the caller's actor, and are sent as they were if they do not become
/// smaller. Files, forms and streams are compressed while they are sent, with less than a mebibyte of memory each. The
/// length of such a body is unknown, so HTTP/1.1 sends it in chunks (RFC 9112 §7.1), which a server that only knows
/// HTTP/1.0 does not understand. A stream's bytes are held back until a block of them is compressed; do not compress a
/// stream whose parts must arrive at once. What could be sent more than once can be sent again.
///
/// The progress of an upload counts the bytes that are sent. Until it ends, its total is that of the uncompressed body if
/// the compressed length is unknown.
///
/// Put the policy outside of a retry policy, so that an attempt does not compress again, and outside of anything that
/// signs or records the bytes that are sent. If the system has no zlib, requests whose body would be compressed throw a
/// ``TransportError`` with the code `unsupported`.
public struct RequestCompression: Interceptor {
    /// The length from which a body is compressed, in bytes; an empty body never is.
    public var minimumLength: Int
    private let shouldCompress: @Sendable (URLRequest) -> Bool
    /// Whether the system has the library.
    var isAvailable = Compressor.isAvailable

    /// `false`: all callers are treated alike.
    public var distinguishesCallers: Bool { false }

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - minimumLength: The length from which a body is compressed, in bytes; 1024 by default, because the bytes that
    ///     gzip adds and saves are about the same for small bodies.
    ///   - shouldCompress: Returns whether the body of a request may be compressed; by default
    ///     ``isCompressible(_:)``.
    public init(
        minimumLength: Int = 1024,
        shouldCompress: @escaping @Sendable (URLRequest) -> Bool = { RequestCompression.isCompressible($0) }
    ) {
        self.minimumLength = minimumLength
        self.shouldCompress = shouldCompress
    }

    /// Returns whether the content type of a request allows for a smaller body.
    ///
    /// - Parameter request: The request.
    /// - Returns: `false` for images, sound, video, fonts and archives in formats that are compressed already; `true`
    ///   for everything else, and if there is no content type.
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
        /// Send it as it is.
        case leave
        /// Compress bytes that are in memory.
        case data(Data)
        /// Compress a body while it is sent.
        case body(RequestBody)
    }

    /// Decides by the rules of the policy.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - length: The length of ``TransportRequest/body``; `nil` if it is unknown.
    /// - Returns: What to do with it.
    func decision(for request: TransportRequest, length: Int64?) -> Decision {
        let urlRequest = request.urlRequest
        // Foundation on Linux traps if a request without a URL is changed; the dispatcher refuses it.
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

    /// The fields that belong to the bytes as they are (RFC 9110 §8.4 and §14.4, RFC 9530).
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
    /// The limit, without the function.
    package var shown: KeyValuePairs<String, Any> { ["minimumLength": minimumLength] }
}
