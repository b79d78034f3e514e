import Testing

/// Everything that talks to a server.
///
/// One test at a time, or time limits would measure how busy the machine is.
@Suite(.serialized, .timeLimit(.generous))
enum NetworkTests {}
