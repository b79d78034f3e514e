/// The trailers of a request's body: the names of the fields, and the computation of their values each time the body is sent.
///
/// It is a class, because every request reserves memory for a body's trailers, and few have any.
package final class RequestTrailers: Sendable {
    /// The computation of the trailers while the body is sent once.
    package struct Computation: Sendable {
        /// Receives the next sent bytes, after compression; `nil` if they are not needed.
        package var observe: (@Sendable (Data) -> Void)?
        /// Computes the fields after the last bytes; called once.
        package var finish: @Sendable () async throws -> HTTPHeaderFields

        package init(
            observe: (@Sendable (Data) -> Void)? = nil,
            finish: @escaping @Sendable () async throws -> HTTPHeaderFields
        ) {
            self.observe = observe
            self.finish = finish
        }
    }

    /// The maximum total size of the lines, in bytes, which is what servers accept.
    static let maximumSize = 60 * 1024

    /// The names of all possible fields, announced in `Trailer` (RFC 9110 §6.6.2).
    let names: [HTTPHeaderName]
    /// Starts the computation each time the body is sent.
    package let begin: @Sendable () -> Computation

    package init(names: [HTTPHeaderName], begin: @escaping @Sendable () -> Computation) {
        self.names = names
        self.begin = begin
    }

    /// The reason why the names cannot be announced; `nil` if they can.
    var refusal: (name: String, reason: String)? {
        guard !names.isEmpty else { return ("Trailer", "its body has trailers without announced names") }
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

    /// Formats computed fields as lines without line ends.
    ///
    /// - Throws: ``TransportError`` with the code `invalidRequest` if a field was not announced, a value contains a control
    ///   character, or the fields are too large. Its text contains no value.
    package func lines(_ fields: HTTPHeaderFields) throws -> [String] {
        func refuse(_ reason: String) -> TransportError {
            TransportError(.invalidRequest, reason: "\(TransportError.Code.invalidRequest.text): \(reason)")
        }
        var size = 0
        return try fields.map { field in
            guard names.contains(HTTPHeaderName(field.name)) else {
                throw refuse("the trailer \(field.name.debugDescription) was not announced")
            }
            guard field.value.utf8.allSatisfy(\.isFieldCharacter) else {
                throw refuse("the value of the trailer \(field.name) contains a control character (RFC 9110 §5.5)")
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
