import PiuPiuEngine

/// The trailers of a request's body: which fields there will be, and how they are computed anew for each sending.
///
/// A class, because every request has room for a body's trailers, and few have any.
final class RequestTrailers: Sendable {
    /// One sending of the body.
    struct Computation: Sendable {
        /// Takes the next bytes that are sent, after every compression; `nil` if they are not needed.
        var observe: (@Sendable (Data) -> Void)?
        /// Computes the fields, once, after the last bytes.
        var finish: @Sendable () async throws -> HTTPHeaderFields

        package init(
            observe: (@Sendable (Data) -> Void)? = nil,
            finish: @escaping @Sendable () async throws -> HTTPHeaderFields
        ) {
            self.observe = observe
            self.finish = finish
        }
    }

    /// The largest total of the lines, in bytes, as much as servers take.
    static let maximumSize = 60 * 1024

    /// The names of all fields that may follow, which are announced in `Trailer` (RFC 9110 §6.6.2).
    let names: [HTTPHeaderName]
    /// Begins a sending.
    let begin: @Sendable () -> Computation

    init(names: [HTTPHeaderName], begin: @escaping @Sendable () -> Computation) {
        self.names = names
        self.begin = begin
    }

    /// Why the names cannot be announced; `nil` if they can.
    var refusal: (name: String, reason: String)? {
        guard !names.isEmpty else { return ("Trailer", "its body has trailers, but names none of them") }
        for name in names.map(\.rawValue) {
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else {
                return (name, "the name of a trailer is not a token (RFC 9110 §5.1)")
            }
            guard TrailerFields.allows(name) else {
                return (name, "\(name) must not be sent as a trailer (RFC 9110 §6.5.1)")
            }
        }
        return nil
    }

    /// The value of `Trailer`.
    var announcement: String { names.map(\.rawValue).joined(separator: ", ") }

    /// Writes computed fields as lines.
    ///
    /// - Parameter fields: The fields.
    /// - Returns: The lines, without line ends.
    /// - Throws: ``TransportError`` with the code `invalidRequest` if a field was not announced, a value has a control
    ///   character, or the fields are too large. Its text has no value.
    func lines(_ fields: HTTPHeaderFields) throws -> [String] {
        func refuse(_ reason: String) -> TransportError {
            TransportError(.invalidRequest, reason: "\(TransportError.Code.invalidRequest.text): \(reason)")
        }
        var size = 0
        return try fields.map { field in
            guard names.contains(HTTPHeaderName(field.name)) else {
                throw refuse("the trailer \(field.name.debugDescription) was not announced")
            }
            guard field.value.utf8.allSatisfy(\.isFieldCharacter) else {
                throw refuse("the value of the trailer \(field.name) holds a control character (RFC 9110 §5.5)")
            }
            let line = "\(field.name): \(field.value)"
            size += line.utf8.count + 2
            guard size <= Self.maximumSize else {
                throw refuse("its trailers are larger than \(Self.maximumSize) bytes")
            }
            return line
        }
    }
}
