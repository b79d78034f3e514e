extension Statistics {
    /// The numbers of calls.
    public struct Calls: Sendable, Hashable {
        /// The calls that began.
        public internal(set) var started = 0
        /// The calls that ended with a response, whatever its status code.
        public internal(set) var responses = 0
        /// The calls that ended with an error.
        public internal(set) var failures = 0
        /// The calls that ended because nobody wanted them any more.
        public internal(set) var cancelled = 0

        /// The calls that ended.
        public var ended: Int { responses + failures + cancelled }
        /// The calls that have begun and not ended.
        public var inProgress: Int { started - ended }
    }
}
