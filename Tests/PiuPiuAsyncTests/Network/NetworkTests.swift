import Testing

// Tests that talk to a server, in groups that run beside each other.
//
// A group runs one test at a time, or time limits would measure how busy the machine is. A test that changes what the whole
// process shares, such as its environment, does so in a process of its own, so that the groups do not disturb each other.

/// Requests and responses, and what belongs to no other group.
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
