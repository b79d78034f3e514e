#if os(Linux)
import PiuPiuEngine

/// Converts the received bytes of a response's body into the delivered bytes.
///
/// A truncated body is an error, and gzip may have several members (RFC 1952 §2.2). Bytes that the reader is not ready for
/// stay compressed.
package enum BodyDecoding {
    /// No byte has arrived.
    case undecided
    /// The bytes are delivered unchanged.
    case none
    case decoding(State)

    /// A decoder, and the number of bytes by which it is ahead of the engine.
    package final class State {
        fileprivate var decoder: ContentDecoder
        fileprivate let limit: Decompression
        /// The numbers of bytes consumed and produced.
        fileprivate var encodedCount = 0
        fileprivate var decodedCount = 0
        /// The number of bytes consumed since the last output.
        fileprivate var silentCount = 0
        /// The number of decoded bytes that the engine offers again, because the reader did not take all the output.
        fileprivate var ahead = 0
        /// The output that the reader has not taken.
        fileprivate var output: UnsafeMutableRawBufferPointer
        fileprivate var untaken = 0..<0

        fileprivate init(_ decoder: consuming ContentDecoder, _ limit: Decompression) {
            self.decoder = decoder
            self.limit = limit
            output = .allocate(byteCount: BodyDecoding.outputSize, alignment: 16)
        }

        deinit {
            output.deallocate()
        }
    }

    /// The maximum number of consecutive runs of the decoder without output; each does at most 256 KiB of work.
    ///
    /// Nested codings can expand to terabytes without producing any output.
    fileprivate static let idleLimit = 64

    /// The maximum number of bytes consumed without output, as with empty gzip members or zstd's skippable frames.
    ///
    /// Nothing else would limit a body that never produces content.
    package static let silentLimit = 4 << 20

    /// The maximum number of decoded bytes to deliver at once.
    private static let outputSize = 32 * 1024

    /// Chooses the decoding from the final head of a request's response; throws ``ContentDecodingError/tooManyCodings``.
    package init(head: RawHead, of request: PreparedRequest) throws(ContentDecodingError) {
        self = .none
        guard request.decodesContent, head.firstValue(of: "Content-Encoding") != nil else { return }
        let values = head.fields.values(for: "Content-Encoding")
        let budget = request.delivery == .streamed ? WindowBudget.shared : nil
        if let decoder = try ContentDecoder(contentEncoding: values, budget: budget) {
            self = .decoding(State(decoder, request.options.decompression))
        }
    }

    /// Whether bytes are decoded.
    package var isDecoding: Bool {
        if case .decoding = self { true } else { false }
    }

    /// Whether the body so far is complete according to its coding.
    package var isComplete: Bool {
        switch self {
        case .undecided, .none: true
        case .decoding(let state): state.decoder.isComplete && state.untaken.isEmpty
        }
    }

    /// Decodes bytes and delivers the output.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to decode. If the result is ``ReceiveResult/pause``, the caller offers the same bytes again.
    ///   - deliver: A closure that takes all of the output or none of it.
    /// - Returns: The result of the last call of `deliver`.
    /// - Throws: ``ContentDecodingError``.
    package func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ deliver: (UnsafeRawBufferPointer) -> ReceiveResult
    ) throws(ContentDecodingError) -> ReceiveResult {
        guard case .decoding(let state) = self else { return deliver(bytes) }
        return try state.decode(bytes, deliver)
    }
}

extension BodyDecoding.State {
    fileprivate func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ deliver: (UnsafeRawBufferPointer) -> ReceiveResult
    ) throws(ContentDecodingError) -> ReceiveResult {
        // The engine may split the retained bytes differently when it offers them again.
        let known = min(ahead, bytes.count)
        var rest = UnsafeRawBufferPointer(rebasing: bytes[known...])
        var idleCount = 0
        while true {
            if untaken.isEmpty {
                guard !rest.isEmpty || decoder.mayHaveMore else { break }
                let count = rest.count
                untaken = 0..<(try decoder.decode(&rest, into: output))
                encodedCount += count - rest.count
                decodedCount += untaken.count
                guard !limit.isExceeded(encoded: encodedCount, decoded: decodedCount) else { throw .grownTooMuch }
                if untaken.isEmpty {
                    idleCount += 1
                    silentCount += count - rest.count
                    guard idleCount < BodyDecoding.idleLimit, silentCount <= BodyDecoding.silentLimit else {
                        throw .malformed
                    }
                    continue
                }
                (idleCount, silentCount) = (0, 0)
            }
            switch deliver(UnsafeRawBufferPointer(rebasing: output[untaken])) {
            case .proceed: untaken = 0..<0
            case .stop: return .stop
            case .pause:
                ahead += bytes.count - known - rest.count
                return .pause
            }
        }
        ahead -= known
        return .proceed
    }
}
#endif
