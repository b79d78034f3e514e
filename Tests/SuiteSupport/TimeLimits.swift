import Testing

extension TimeLimitTrait.Duration {
    /// The limit that ends a test which hangs.
    ///
    /// It decides nothing else: a whole run takes about five minutes on a fifth of two processors, and all tests that are
    /// not about the network share them.
    package static var generous: Self { .minutes(10) }
}
