/// A request as it arrived at an ``HTTP2Script``.
public struct HTTP2Request: Sendable {
    /// The serial number of the connection; the first one is 1.
    public let connection: Int
    /// Which request of its connection it is, from 1.
    public let ordinal: Int
    /// The number of its stream.
    public let stream: Int
    /// The fields, those with a colon first, and the trailers last.
    public internal(set) var fields: [HTTP2Field]
    /// The body.
    public internal(set) var body: [UInt8] = []

    /// The method.
    public var method: String { self[":method"] ?? "" }
    /// Path and query.
    public var path: String { self[":path"] ?? "" }

    /// The first value of a field.
    ///
    /// - Parameter name: Its name, in lower case.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}
