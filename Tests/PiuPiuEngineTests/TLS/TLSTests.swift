import Testing

/// What the engine does over TLS.
///
/// One test at a time: their servers and clients wait on threads of their own, and the tests for them.
@Suite(.serialized, .timeLimit(.minutes(2)))
enum TLSTests {}
