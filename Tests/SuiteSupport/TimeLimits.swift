import Testing

extension TimeLimitTrait.Duration {
    /// The limit that ends a test which hangs.
    ///
    /// It decides nothing else. A test shares the processors with all others, and waits for them: a whole run under the
    /// thread sanitizer, beside a build, takes half an hour.
    package static var generous: Self { .minutes(30) }
}
