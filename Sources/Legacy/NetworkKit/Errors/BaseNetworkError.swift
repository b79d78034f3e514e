/// The common interface of NetworkKit's errors.
///
/// Their texts are in English, are meant for users of an app, and contain nothing from the request or the response.
/// The domains and codes in an `NSError` are those of NetworkKit; the codes are the positions of the cases.
public protocol BaseNetworkError: LocalizedError, CustomNSError {
    /// A stable name of the case, such as `NotFound`, for logs and for looking up your own texts.
    var errorKey: String { get }
}

extension BaseNetworkError {
    /// The text of the error, for `NSError`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? errorKey] }

    /// The name of the case.
    public var errorKey: String {
        let name = Mirror(reflecting: self).children.first?.label ?? "\(self)"
        return name.prefix(1).uppercased() + name.dropFirst()
    }
}
