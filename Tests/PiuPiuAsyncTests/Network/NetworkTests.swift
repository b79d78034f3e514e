import Testing

/// Everything that talks to a server, in groups.
///
/// A group has one test at a time, or time limits would measure how busy the machine is. What the process has only one of,
/// such as its environment, is changed in processes of their own, so that the groups do not disturb each other.
@Suite(.serialized, .timeLimit(.generous))
enum NetworkTests {}

/// How connections are found, made, shared and closed.
@Suite(.serialized, .timeLimit(.generous))
enum ConnectionNetworkTests {}

/// Proxies.
@Suite(.serialized, .timeLimit(.generous))
enum ProxyNetworkTests {}

/// Downloads, uploads, streams and trailers.
@Suite(.serialized, .timeLimit(.generous))
enum TransferNetworkTests {}

/// TLS, and what else protects from servers.
@Suite(.serialized, .timeLimit(.generous))
enum TrustNetworkTests {}
