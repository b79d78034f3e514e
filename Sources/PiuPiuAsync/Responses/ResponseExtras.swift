/// What few responses have besides a head and a body: interim responses and trailers.
///
/// One reference, so that responses without them cost nothing.
final class ResponseExtras: Sendable {
    /// The interim responses, oldest first.
    let informational: [InformationalResponse]
    /// The fields of the trailer section.
    let trailers: HTTPHeaderFields

    private init(_ informational: [InformationalResponse], _ trailers: HTTPHeaderFields) {
        self.informational = informational
        self.trailers = trailers
    }

    /// Returns the extras; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - informational: The interim responses, oldest first.
    ///   - trailers: The fields of the trailer section.
    /// - Returns: The extras.
    static func make(
        informational: [InformationalResponse] = [],
        trailers: HTTPHeaderFields = [:]
    ) -> ResponseExtras? {
        informational.isEmpty && trailers.isEmpty ? nil : ResponseExtras(informational, trailers)
    }
}

extension ResponseExtras: Redacted {
    /// How many there are, without their fields.
    package var shown: KeyValuePairs<String, Any> {
        ["informational": informational.count, "trailers": trailers.count]
    }
}

/// The same as bytes, as the event loop hands them over; they are parsed in the caller's task.
package final class RawExtras: Sendable {
    /// The interim heads, oldest first.
    let informational: [[UInt8]]
    /// The lines of the trailer section, each with its line end.
    package let trailers: [UInt8]

    package init(informational: [[UInt8]], trailers: [UInt8]) {
        self.informational = informational
        self.trailers = trailers
    }

    /// The extras, parsed; `nil` if no field is left.
    var parsed: ResponseExtras? {
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
    /// How many there are, without their fields.
    package var shown: KeyValuePairs<String, Any> {
        ["informational": informational.count, "trailers": "\(trailers.count) bytes"]
    }
}
