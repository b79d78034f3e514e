/// A value or an error: the forerunner of `Result` in PiuPiu 1.
///
/// No function of the library takes or returns it any more.
@available(*, deprecated, message: "Use Result")
public enum SafeResponse<T> {
    /// The value.
    case response(T)
    /// The error.
    case error(any Error)
}

@available(*, deprecated, message: "Use Result")
extension SafeResponse: Sendable where T: Sendable {}
