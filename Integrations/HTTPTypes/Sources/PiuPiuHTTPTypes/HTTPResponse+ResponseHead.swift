public import HTTPTypes
public import PiuPiuAsync

extension HTTPTypes.HTTPResponse {
    /// Creates a response from the head of PiuPiu's.
    ///
    /// Fields that were sent more than once, such as `Set-Cookie`, stay apart and in their order. The reason phrase is
    /// empty: clients ignore it (RFC 9112 §4), and newer versions than HTTP/1.1 have none.
    ///
    /// - Parameter head: The head.
    /// - Throws: `TransportError` with the code `malformedHead` if the status code has not one to three digits, or the name
    ///   of a field is not a token; `headTooLarge` if there are more fields than `HTTPFields` can hold.
    public init(_ head: ResponseHead) throws(TransportError) {
        let code = head.statusCode.rawValue
        guard (0...999).contains(code) else {
            throw TransportError(.malformedHead, reason: "The status code \(code) is not a number from 0 to 999")
        }
        self.init(status: Status(code: code), headerFields: try HTTPFields(head.headers))
    }
}
