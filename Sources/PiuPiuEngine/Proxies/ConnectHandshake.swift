#if os(Linux)
/// The answer of a proxy of HTTP to `CONNECT` (RFC 9110 §9.3.6), as a pure value.
///
/// | State | Event | Step | Next state |
/// |---|---|---|---|
/// | waiting | a part of a head, or an informational head | needs more | waiting |
/// | waiting | a head of 2xx | done | over |
/// | waiting | any other final head | failed, with its status code | over |
/// | waiting | a head that is not HTTP/1.1, or heads that are too large together | failed | over |
/// | over | anything | needs more, and nothing is taken | over |
///
/// Such an answer has no body: its `Content-Length` and `Transfer-Encoding` mean nothing, whatever they say.
package struct ConnectHandshake: Sendable {
    /// The largest size of all heads together, in bytes.
    package static let maximumHead = 64 * 1024

    /// What to send.
    package let request: [UInt8]
    private var parser: ResponseParser

    /// Creates a handshake.
    ///
    /// - Parameters:
    ///   - request: The whole request.
    ///   - limit: The largest size of all heads of the answer together, in bytes.
    package init(request: [UInt8], limit: Int = ConnectHandshake.maximumHead) {
        self.request = request
        parser = ResponseParser(ofConnect: limit)
    }

    /// Takes the next part of what arrived.
    ///
    /// - Parameter input: The bytes, of which what is taken is removed.
    /// - Returns: What to do.
    package mutating func receive(_ input: inout UnsafeRawBufferPointer) -> TunnelHandshake.Step {
        guard !parser.isComplete else { return .needsMore }
        do throws(ResponseParser.Failure) {
            while true {
                switch try parser.next(&input) {
                case .needsMore: return .needsMore
                case .informational: continue
                case .head, .body, .end:
                    let code = parser.head.statusCode
                    guard !(200..<300).contains(code) else { return .done }
                    return .failed(.refused(statusCode: code, head: parser.head.bytes))
                }
            }
        } catch {
            return .failed(.malformed(error))
        }
    }
}

extension ConnectHandshake: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the request, which may have credentials.
    package var description: String { "ConnectHandshake" }

    /// Nothing of the request, which may have credentials.
    package var debugDescription: String { description }

    /// Nothing, so that `dump` shows no secrets.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
