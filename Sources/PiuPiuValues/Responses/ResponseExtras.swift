/// The parts that few responses have: interim responses and trailers.
///
/// They share one reference, so that responses without them cost nothing.
package final class ResponseExtras: Sendable {
    /// The interim responses, oldest first.
    package let informational: [InformationalResponse]
    /// The fields of the trailer section.
    let trailers: HTTPHeaderFields

    private init(_ informational: [InformationalResponse], _ trailers: HTTPHeaderFields) {
        self.informational = informational
        self.trailers = trailers
    }

    /// Returns the extras; `nil` if there are none.
    package static func make(
        informational: [InformationalResponse] = [],
        trailers: HTTPHeaderFields = [:]
    ) -> ResponseExtras? {
        informational.isEmpty && trailers.isEmpty ? nil : ResponseExtras(informational, trailers)
    }
}

extension ResponseExtras: Redacted {
    /// The counts, without the fields.
    package var shown: KeyValuePairs<String, Any> {
        ["informational": informational.count, "trailers": trailers.count]
    }
}

/// The extras as bytes, as the event loop delivers them; the caller's task parses them.
package final class RawExtras: Sendable {
    /// The interim heads, oldest first.
    let informational: [[UInt8]]
    /// The lines of the trailer section, each with its line end.
    package let trailers: [UInt8]

    package init(informational: [[UInt8]], trailers: [UInt8]) {
        self.informational = informational
        self.trailers = trailers
    }

    /// The parsed extras; `nil` if no field is left.
    package var parsed: ResponseExtras? {
        ResponseExtras.make(
            informational: informational.map { bytes in
                let head = RawHead(bytes: bytes)
                return InformationalResponse(StatusCode(rawValue: head.statusCode ?? 0), headers: head.fields)
            },
            trailers: TrailerFields.parse(trailers)
        )
    }
}

extension RawExtras: Redacted {
    /// The counts, without the fields.
    package var shown: KeyValuePairs<String, Any> {
        ["informational": informational.count, "trailers": "\(trailers.count) bytes"]
    }
}
