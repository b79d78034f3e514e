import PiuPiuAsync

/// The part of an answer that reaches the caller by the rules of HTTP messages, a pure value.
struct MockMessage {
    enum End {
        case complete
        case failure(any Error)
        /// The message is invalid; the code describes the fault.
        case broken(TransportError.Code)
        case hang
    }

    /// The delay of the head after the request.
    var delay: Duration { answer.delay }
    /// The status code; `nil` for an answer without a head.
    private let statusCode: StatusCode?
    private let answer: MockAnswer
    let pieces: [MockAnswer.Piece]
    /// The length of the body as announced to the caller, in bytes; `nil` if it is unknown.
    let expectedLength: Int64?
    let end: End

    /// Applies the rules of HTTP messages to an answer.
    init(_ answer: MockAnswer, to request: PreparedRequest) {
        var isHead = false
        if case .head = request.kind { isHead = true }
        let end: End =
            switch answer.ending {
            case .complete: answer.statusCode == nil ? .broken(.connectionLost) : .complete
            case .failure(let error): .failure(error)
            case .hang: .hang
            }
        let code = answer.statusCode?.rawValue
        if let code, let fault = Self.fault(of: answer, code, limit: request.options.maximumHead) {
            self.init(answer, nil, [], nil, .broken(fault))
        } else if isHead || code == 204 || code == 304 {
            self.init(answer, answer.statusCode, [], 0, .complete)
        } else if request.decodesContent && answer.headers.contains("Content-Encoding") {
            // The length of the compressed bytes does not apply to the decompressed bytes.
            self.init(answer, answer.statusCode, answer.pieces, nil, end)
        } else if code != nil, let length = answer.headers.values(for: "Content-Length").first.flatMap({ Int64($0) }) {
            let (pieces, missing) = Self.cut(answer.pieces, to: length)
            if missing == 0 {
                self.init(answer, answer.statusCode, pieces, length, .complete)
            } else if case .complete = end {
                self.init(answer, answer.statusCode, pieces, length, .broken(.truncatedBody))
            } else {
                self.init(answer, answer.statusCode, pieces, length, end)
            }
        } else {
            var length: Int64?
            if case .complete = end, !answer.headers.contains("Transfer-Encoding") {
                length = answer.pieces.reduce(0) { $0 + Int64($1.data.count) }
            }
            self.init(answer, answer.statusCode, code == nil ? [] : answer.pieces, length, end)
        }
    }

    private init(
        _ answer: MockAnswer,
        _ statusCode: StatusCode?,
        _ pieces: [MockAnswer.Piece],
        _ expectedLength: Int64?,
        _ end: End
    ) {
        self.answer = answer
        self.statusCode = statusCode
        self.pieces = pieces
        self.expectedLength = expectedLength
        self.end = end
    }

    /// Creates the head; `nil` if the answer ends without one.
    func head(for request: URLRequest, _ metrics: ExchangeMetrics) -> ResponseHead? {
        guard let statusCode else { return nil }
        return ResponseHead(
            url: request.url ?? URL(filePath: "/"),
            statusCode: statusCode,
            httpVersion: answer.httpVersion,
            headers: answer.headers,
            metrics: metrics,
            informational: answer.informational
        )
    }

    /// Creates the response.
    func response(_ head: ResponseHead, to request: TransportRequest, body: Data = Data()) -> TransportResponse {
        var response = TransportResponse(head: head, body: body.isEmpty ? nil : body, urlRequest: request.urlRequest)
        response.adaptedResponse = answer.urlResponse
        if !body.isEmpty, !trailers.isEmpty { response.trailers = trailers }
        return response
    }

    /// The fields that follow the body.
    var trailers: HTTPHeaderFields {
        guard !answer.trailers.isEmpty, !pieces.isEmpty else { return [:] }
        return HTTPHeaderFields(answer.trailers.filter { TrailerFields.allows($0.name) })
    }

    private static func fault(of answer: MockAnswer, _ code: Int, limit: Int) -> TransportError.Code? {
        guard (200...999).contains(code) else { return .malformedHead }
        // Each field line has ": " and CRLF. The status line has two spaces, the code and CRLF. An empty line ends
        // the head.
        let size = answer.headers.reduce(answer.httpVersion.utf8.count + 9) { size, field in
            size + field.name.utf8.count + field.value.utf8.count + 4
        }
        guard size <= limit else { return .headTooLarge }
        let lengths = answer.headers.values(for: "Content-Length")
        // Rejects contradictory and invalid lengths (RFC 9112 §6.3).
        let areAlike = lengths.allSatisfy { value in
            value == lengths[0] && (1...18).contains(value.utf8.count)
                && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        return areAlike ? nil : .malformedHead
    }

    /// Cuts the pieces to a length, and returns the number of missing bytes.
    private static func cut(
        _ pieces: [MockAnswer.Piece],
        to length: Int64
    ) -> (pieces: [MockAnswer.Piece], missing: Int64) {
        var rest = length
        var kept: [MockAnswer.Piece] = []
        for piece in pieces where rest > 0 {
            let data = piece.data.prefix(Int(clamping: rest))
            rest -= Int64(data.count)
            kept.append(MockAnswer.Piece(data, after: piece.delay))
        }
        return (kept, rest)
    }
}
