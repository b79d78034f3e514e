/// A value or an error: the predecessor of `Result` in PiuPiu 1.
///
/// The library's functions no longer take or return it.
@available(*, deprecated, message: "Use Result")
public enum SafeResponse<T> {
    /// The value.
    case response(T)
    /// The error.
    case error(any Error)
}

@available(*, deprecated, message: "Use Result")
extension SafeResponse: Sendable where T: Sendable {}
