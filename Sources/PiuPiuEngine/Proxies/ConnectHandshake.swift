#if os(Linux)
/// The answer of an HTTP proxy to `CONNECT` (RFC 9110 §9.3.6); a pure value.
///
/// | State | Event | Step | Next state |
/// |---|---|---|---|
/// | waiting | a part of a head, or an informational head | needs more | waiting |
/// | waiting | a head of 2xx | done | over |
/// | waiting | any other final head | failed, with its status code | over |
/// | waiting | a head that is not HTTP/1.1, or heads that are too large together | failed | over |
/// | over | any | needs more, and takes nothing | over |
///
/// Such an answer has no body: its `Content-Length` and `Transfer-Encoding` have no meaning.
package struct ConnectHandshake: Sendable {
    /// The largest size of all heads together, in bytes.
    package static let maximumHead = 64 * 1024

    /// The bytes to send.
    package let request: [UInt8]
    private var parser: ResponseParser

    /// Creates a handshake that sends a whole request, and limits the size of all heads of the answer together, in bytes.
    package init(request: [UInt8], limit: Int = ConnectHandshake.maximumHead) {
        self.request = request
        parser = ResponseParser(ofConnect: limit)
    }

    /// Takes the next received bytes, removes those that it used, and returns the next step.
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
    /// A text without the request, which may contain credentials.
    package var description: String { "ConnectHandshake" }

    /// A text without the request, which may contain credentials.
    package var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no secrets.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
