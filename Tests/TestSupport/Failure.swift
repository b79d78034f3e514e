import PiuPiuAsync

/// Runs an operation and returns the error it ends with.
package func failure<T>(of operation: () async throws -> T) async throws -> any Error {
    do {
        let value = try await operation()
        throw UnexpectedSuccess(value: "\(value)")
    } catch let error as UnexpectedSuccess {
        throw error
    } catch {
        return error
    }
}

/// An operation succeeded that had to fail.
package struct UnexpectedSuccess: Error {
    package let value: String
}

extension URLRequest {
    /// A request with a method, a body and header fields.
    package init(_ method: String, _ url: URL, body: String? = nil, headers: [String: String] = [:]) {
        self.init(url: url)
        httpMethod = method
        httpBody = body.map { Data($0.utf8) }
        for (name, value) in headers { setValue(value, forHTTPHeaderField: name) }
    }
}
