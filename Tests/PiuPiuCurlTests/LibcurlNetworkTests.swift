import SuiteSupport
import TestSupport
import Testing

/// Tests of the transport over libcurl with servers.
@Suite(.timeLimit(.generous))
struct LibcurlNetworkTests {}
