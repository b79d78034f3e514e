import PiuPiuFutures

/// A request with a form as its body: a `BasicRequest`, with functions that encode forms.
///
/// ```swift
/// var request = MultiPartRequest(method: .post, path: "/photos")
/// request.setHTTPBody(file: photo, fileName: "photo.jpg", mimeType: "image/jpeg", parameters: ["album": "7"])
/// ```
public typealias MultiPartRequest = BasicRequest

extension MultiPartRequest {
    /// Sets the body to a form with a file (`multipart/form-data`, RFC 7578), and the content type.
    ///
    /// If a name contains a NUL or the type is not a media type, the body becomes `nil`.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file.
    ///   - fileFieldName: The name of the field of the file.
    ///   - fileName: The name of the file.
    ///   - mimeType: The media type of the file.
    ///   - parameters: Other fields; they come first, sorted by name.
    public mutating func setHTTPBody(
        file: Data,
        fileFieldName: String = "file",
        fileName: String,
        mimeType: String,
        parameters: [String: String] = [:]
    ) {
        setForm(parameters) { $0.append(file, name: fileFieldName, fileName: fileName, contentType: mimeType) }
    }

    /// Sets the body to a form without a file (`multipart/form-data`, RFC 7578), and the content type.
    ///
    /// If a name contains a NUL, the body becomes `nil`.
    ///
    /// - Parameter parameters: The fields; they are sorted by name.
    public mutating func setHTTPBody(parameters: [String: String]) {
        setForm(parameters)
    }

    private mutating func setForm(_ parameters: [String: String], _ add: (inout MultipartFormData) -> Void = { _ in }) {
        var form = MultipartFormData()
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { form.append(value, name: name) }
        add(&form)
        httpBody = try? form.encoded(limit: .max)
        headers["Content-Type"] = form.contentType
    }
}
