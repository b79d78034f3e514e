import SuiteSupport
import Testing

// Tests that talk to a server. Each has a scripted server of its own; nginx and the proxies are shared. A test that changes
// what the whole process shares, such as its environment, does so in a process of its own.

/// Requests and responses, and what belongs to no other group.
@Suite(.timeLimit(.generous))
enum NetworkTests {}

/// How connections are found, made, shared and closed.
@Suite(.timeLimit(.generous))
enum ConnectionNetworkTests {}

/// Proxies.
@Suite(.timeLimit(.generous))
enum ProxyNetworkTests {}

/// TLS, and what else protects from servers.
@Suite(.timeLimit(.generous))
enum TrustNetworkTests {}
