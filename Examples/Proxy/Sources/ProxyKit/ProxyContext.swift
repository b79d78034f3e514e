public import Hummingbird
import NIOCore

/// What the proxy knows of a request beside the request.
public struct ProxyContext: RequestContext {
    /// What Hummingbird keeps.
    public var coreContext: CoreRequestContextStorage
    /// The address of the client, as text; `nil` if it is not known.
    public let clientAddress: String?

    /// Creates a context.
    ///
    /// - Parameter source: The connection.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        clientAddress = source.channel.remoteAddress?.ipAddress
    }
}
