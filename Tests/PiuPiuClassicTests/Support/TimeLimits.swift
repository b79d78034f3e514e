import Testing

extension TimeLimitTrait.Duration {
    /// The limit that ends a test which hangs; it decides nothing else.
    static var generous: Self { .minutes(30) }
}
