import PiuPiuAsync

/// The requests that the arguments ask for: a pure function.
enum RequestPlan {
    /// Makes a request.
    ///
    /// - Parameters:
    ///   - url: Its URL.
    ///   - arguments: What the user asks for.
    /// - Returns: The request, without its body and without credentials.
    static func request(_ url: URL, _ arguments: Arguments) -> URLRequest {
        var request = URLRequest(url: target(url, arguments))
        request.httpMethod = arguments.effectiveMethod
        for header in arguments.headers { request.addValue(header.value, forHTTPHeaderField: header.name) }
        let cookies = arguments.cookies.filter { $0.contains("=") }
        if !cookies.isEmpty { request.addValue(cookies.joined(separator: "; "), forHTTPHeaderField: "Cookie") }
        func addDefault(_ name: String, _ value: String?) {
            guard let value, request.value(forHTTPHeaderField: name) == nil else { return }
            request.setValue(value, forHTTPHeaderField: name)
        }
        addDefault("Content-Type", BodyPlan.contentType(for: arguments))
        addDefault("Accept", arguments.json == nil ? "*/*" : "application/json, */*;q=0.5")
        return request
    }

    /// A URL that ends in a slash gets the name of the file that is uploaded, as with curl.
    private static func target(_ url: URL, _ arguments: Arguments) -> URL {
        guard let upload = arguments.upload, upload != "-", url.path(percentEncoded: true).hasSuffix("/") else {
            return url
        }
        return url.appending(path: URL(filePath: upload).lastPathComponent, directoryHint: .notDirectory)
    }
}
