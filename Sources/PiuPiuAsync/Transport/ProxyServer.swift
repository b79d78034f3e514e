/// A proxy.
public struct ProxyServer: Sendable, Hashable {
}
