/// An HTTP client that is checked.
package protocol CheckedClient: Sendable {
    /// Creates a client with connections of its own.
    ///
    /// - Parameter orders: What it is about to send.
    /// - Throws: An error if it cannot be created.
    init(_ orders: Orders) throws

    /// Sends a request.
    ///
    /// - Parameter order: The request.
    /// - Returns: The status and the body of the response.
    /// - Throws: The client's error.
    func send(_ order: Order) async throws -> (status: Int, body: String)

    /// Closes the connections.
    ///
    /// - Throws: The client's error.
    func shutdown() async throws

    /// Names the kind of an error.
    ///
    /// - Parameter error: An error of this client.
    /// - Returns: A word without a space.
    static func kind(of error: any Error) -> String
}

/// A request that is to be sent.
package struct Order: Sendable {
    /// The number that identifies it in the server's log.
    package let number: Int
    /// The URL, which ends with the number.
    package let url: String
    /// The path of the URL: the body to send, if there is one, and the answer that is expected.
    package let path: String
    /// Whether it is a POST; otherwise it is a GET.
    package let isPost: Bool
    /// Further header fields.
    package let fields: [(name: String, value: String)]
}
