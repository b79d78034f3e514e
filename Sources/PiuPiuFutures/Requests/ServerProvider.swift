/// Something that knows which server requests go to.
///
/// The property may belong to an actor: a class that runs on the main actor, such as a view controller, conforms without
/// further ado.
public protocol ServerProvider: AnyObject, Sendable {
    /// The server, and the part of the path that all requests to it share; `nil` where it is not known.
    var baseURL: URL? { get async }
}
