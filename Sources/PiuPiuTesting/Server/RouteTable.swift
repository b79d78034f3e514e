/// The server's answers by method and path.
struct RouteTable {
    /// The way to answer a request.
    enum Answer: Sendable {
        case script([Step])
        case dynamic(@Sendable (RecordedRequest) -> [Step])
    }

    /// The answers for a method and a path.
    enum Route: Sendable {
        /// Scripts used one after the other; the last one repeats.
        case sequence([[Step]], next: Int)
        case dynamic(@Sendable (RecordedRequest) -> [Step])
    }

    private struct Key: Hashable {
        let method: String?
        let path: String
    }

    private var routes: [Key: Route] = [:]

    /// Sets a route and returns the one it replaces, to be released outside the lock.
    mutating func set(_ method: String?, _ path: String, _ route: Route) -> Route? {
        routes.updateValue(route, forKey: Key(method: method, path: path))
    }

    /// Returns the answer to a request; a route for its method takes precedence over one for all methods.
    mutating func answer(method: String, path: String) -> Answer {
        for key in [Key(method: method, path: path), Key(method: nil, path: path)] {
            switch routes[key] {
            case .dynamic(let respond):
                return .dynamic(respond)
            case .sequence(let scripts, let next):
                guard !scripts.isEmpty else { return .script([]) }
                routes[key] = .sequence(scripts, next: min(next + 1, scripts.count - 1))
                return .script(scripts[next])
            case nil:
                continue
            }
        }
        return .script([Step(kind: .respond(.refusal(404, "not found")))])
    }
}
