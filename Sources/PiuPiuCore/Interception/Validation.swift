/// Defines which responses are acceptable, by status code and by content type.
///
/// ```swift
/// let post = try await dispatcher.data(for: request).validated().decode(Post.self)
/// let list = try await dispatcher.data(for: request).validated(.json).decode([Post].self)
/// let file = try await dispatcher.data(for: request).validated(.statusCodes(200..<300).mediaTypes(["image/*"]))
/// ```
public struct Validation: Sendable {
    private enum AcceptableCodes: Sendable {
        /// The codes without a ``StatusCode/httpError``: 1xx, 2xx and 3xx.
        case withoutError
        case range(Range<Int>)
        case set(Set<StatusCode>)
    }

    private var codes: AcceptableCodes = .withoutError
    /// The acceptable media types; `nil` if any content is acceptable.
    private var types: [MediaType]?

    private init() {}

    /// Accepts 1xx, 2xx and 3xx with any content.
    public static let `default` = Validation()

    /// Accepts 2xx with any content.
    public static let success = Validation().statusCodes(200..<300)

    /// Accepts 1xx, 2xx and 3xx with JSON: `application/json`, or a type that ends in `+json` (RFC 6839 §3.1).
    public static let json = Validation().mediaTypes(["application/json", "application/*+json"])

    /// Accepts a range of status codes with any content.
    ///
    /// - Parameter codes: The codes, such as `200..<300`.
    /// - Returns: The validation.
    public static func statusCodes(_ codes: Range<Int>) -> Validation {
        Validation().statusCodes(codes)
    }

    /// Accepts some status codes with any content.
    ///
    /// - Parameter codes: The codes, such as `[.ok, .notModified]`.
    /// - Returns: The validation.
    public static func statusCodes(_ codes: Set<StatusCode>) -> Validation {
        Validation().statusCodes(codes)
    }

    /// Accepts some media types with 1xx, 2xx and 3xx.
    ///
    /// - Parameter patterns: The types, such as `["application/json", "image/*", "application/*+json"]`.
    /// - Returns: The validation.
    public static func mediaTypes(_ patterns: [String]) -> Validation {
        Validation().mediaTypes(patterns)
    }

    /// Returns the same validation with other status codes.
    ///
    /// - Parameter codes: The codes, such as `200..<300`.
    /// - Returns: The validation.
    public func statusCodes(_ codes: Range<Int>) -> Validation {
        var copy = self
        copy.codes = .range(codes)
        return copy
    }

    /// Returns the same validation with other status codes.
    ///
    /// - Parameter codes: The codes, such as `[.ok, .notModified]`.
    /// - Returns: The validation.
    public func statusCodes(_ codes: Set<StatusCode>) -> Validation {
        var copy = self
        copy.codes = .set(codes)
        return copy
    }

    /// Returns the same validation with other media types.
    ///
    /// Parameters such as `charset` are not compared. A pattern that is not of the form `type/subtype` matches nothing.
    ///
    /// - Parameter patterns: The types, such as `["application/json", "image/*", "application/*+json"]`.
    /// - Returns: The validation.
    public func mediaTypes(_ patterns: [String]) -> Validation {
        var copy = self
        copy.types = patterns.compactMap { MediaType($0) }
        return copy
    }

    /// Checks the head of a response.
    ///
    /// A response that cannot have content (RFC 9110 §6.4.1), or declares that it has none, needs no content type.
    ///
    /// - Parameter head: The head of the response.
    /// - Throws: ``UnacceptableResponseError`` if the status code or the content type is not acceptable, without a request
    ///   and a body.
    public func validate(_ head: ResponseHead) throws {
        guard let fault = fault(of: head) else { return }
        throw UnacceptableResponseError(fault, response: head)
    }

    /// The part of a head that is not acceptable; `nil` if the head is acceptable.
    func fault(of head: ResponseHead) -> UnacceptableResponseError.Code? {
        guard accepts(head.statusCode) else { return .statusCode }
        guard let types else { return nil }
        let contentType = head.firstValue(of: "Content-Type")
        if contentType == nil, !Self.mayHaveContent(head) { return nil }
        guard let type = contentType.flatMap({ MediaType($0) }), types.contains(where: type.matches) else {
            return .contentType
        }
        return nil
    }

    private func accepts(_ code: StatusCode) -> Bool {
        switch codes {
        case .withoutError: code.httpError == nil
        case .range(let range): range.contains(code.rawValue)
        case .set(let set): set.contains(code)
        }
    }

    private static func mayHaveContent(_ head: ResponseHead) -> Bool {
        switch head.statusCode {
        case .noContent, .resetContent, .notModified: false
        case let code where code.type == .informational: false
        default: head.firstValue(of: "Content-Length") != "0"
        }
    }
}

extension Validation: Interceptor {
    /// `false`: all callers are treated alike.
    public var distinguishesCallers: Bool { false }

    /// Passes on acceptable responses and throws for all others.
    ///
    /// Inside a retry policy, an unacceptable response becomes an error that the policy sees.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The response.
    /// - Throws: ``UnacceptableResponseError``, with the beginning of the body, and the errors of `next`.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        let response = try await next(request)
        guard let fault = fault(of: response.head) else { return response }
        return try await next.waiting(for: request) {
            let body = try await response.stream?.beginning()
            throw UnacceptableResponseError(
                fault,
                request: response.urlRequest,
                response: response.head,
                body: body?.data ?? response.body,
                isBodyComplete: body?.isComplete ?? true,
                sensitiveHeaders: request.options.sensitiveHeaders
            )
        }
    }
}

extension Validation: PromptInterceptor {}
