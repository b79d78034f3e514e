import Foundation

/// What a client is told to send, as arguments of the form `name=value`.
///
///     base=URL count=N [post] [version=1|2] [parallel=N] [clients=N] [pause-ms=N] [spread-ms=N] [head=KB] [ca=FILE]
///         [seconds=N]
package struct Orders: Sendable {
    /// The URL of the requests, to which a number is appended.
    package let base: String
    /// How many requests there are.
    package let count: Int
    /// Whether they are POSTs.
    package let isPost: Bool
    /// Whether they go over HTTP/2.
    package let usesHTTP2: Bool
    /// How many requests are under way at once.
    package let parallel: Int
    /// How many clients share the requests, each with connections of its own.
    package let clients: Int
    /// How many milliseconds pass before each request.
    package let pause: Double
    /// By how many milliseconds a pause may be longer or shorter.
    package let spread: Double
    /// The authority to trust; `nil` for the system's.
    package let authority: String?
    /// How many seconds a request may take.
    package let seconds: Int
    private let fields: [(name: String, value: String)]
    private let path: String

    /// Reads arguments.
    ///
    /// - Parameter arguments: The arguments of the process, without its name.
    package init(_ arguments: some Sequence<String>) {
        var values: [String: String] = [:]
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            values[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        func number(_ name: String, _ usual: Int) -> Int { values[name].flatMap { Int($0) } ?? usual }
        base = values["base"] ?? ""
        path = URL(string: base)?.path(percentEncoded: true) ?? ""
        count = number("count", 100)
        isPost = values["post"] != nil
        usesHTTP2 = number("version", 1) == 2
        parallel = number("parallel", 50)
        clients = number("clients", 1)
        pause = Double(number("pause-ms", 0))
        spread = Double(number("spread-ms", 0))
        authority = values["ca"]
        seconds = number("seconds", 60)
        fields = (0..<number("head", 0)).map { ("x-\($0)", String(repeating: "x", count: 1000)) }
    }

    /// A request.
    ///
    /// - Parameter number: Its number.
    /// - Returns: The request.
    func order(_ number: Int) -> Order {
        let path = path.hasSuffix("/") ? "\(path)\(number)" : "\(path)/\(number)"
        return Order(number: number, url: "\(base)\(number)", path: path, isPost: isPost, fields: fields)
    }
}
