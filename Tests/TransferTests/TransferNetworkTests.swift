import SuiteSupport
import Testing

/// Downloads, uploads, streams and trailers, each with a server of its own.
@Suite(.timeLimit(.generous))
enum TransferNetworkTests {}
