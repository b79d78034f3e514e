#if os(Linux)
import PiuPiuEngine

// What a head says about its response.
extension HeadCollector {
    /// The informational heads and the trailers; `nil` for most exchanges.
    package var extras: RawExtras? {
        guard !informational.isEmpty || !trailers.isEmpty else { return nil }
        return RawExtras(informational: informational, trailers: trailers)
    }

    /// The number of content bytes to deliver; `nil` if the head does not determine it.
    package func expectedLength(of request: PreparedRequest) -> Int64? {
        // The announced length is that of a body that is not sent (RFC 9112 §6.3).
        if case .head = request.kind { return 0 }
        if statusCode == 204 || statusCode == 304 { return 0 }
        // A length in compressed bytes says nothing about the delivered bytes.
        let isDecoded = request.decodesContent && mayHaveContentEncoding && hasKnownCoding
        return isDecoded || hasTransferEncoding ? nil : contentLength.map { Int64($0) }
    }

    /// Whether the content has a coding that the library decodes.
    private var hasKnownCoding: Bool {
        let values = RawHead(bytes: bytes).fields.values(for: "Content-Encoding")
        return (try? ContentCoding.list(in: values))?.isEmpty == false
    }
}
#endif
