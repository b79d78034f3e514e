/// A type that provides the server for requests.
///
/// The property may belong to an actor: a class that runs on the main actor, such as a view controller, conforms
/// without additional code.
public protocol ServerProvider: AnyObject, Sendable {
    /// The server, and the part of the path that all requests to it share; `nil` if the server is not known.
    var baseURL: URL? { get async }
}
