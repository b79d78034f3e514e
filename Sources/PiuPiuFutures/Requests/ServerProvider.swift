/// A type that provides the server for requests.
///
/// The property may belong to an actor: a class that runs on the main actor, such as a view controller, conforms
/// without additional code.
public protocol ServerProvider: AnyObject, Sendable {
    /// The server, and the part of the path common to all requests to it; `nil` if the server is unknown.
    var baseURL: URL? { get async }
}
