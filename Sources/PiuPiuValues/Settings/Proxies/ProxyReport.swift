/// A readable description of the environment's proxy settings: a pure value, without user names and passwords.
package struct ProxyReport: Sendable, Equatable {
    /// The proxies in use, such as `http: proxy.example:3128 (http_proxy)`.
    package let lines: [String]
    /// The settings that have no effect, or make requests fail, each as a sentence without its period.
    package let problems: [String]

    /// Describes environment variables.
    package init(_ variables: [String: String]) {
        let environment = ProxyEnvironment(variables)
        var lines: [String] = []
        var problems: [String] = []
        for (scheme, variable) in [("http", environment.plain), ("https", environment.secure)] {
            guard let variable else { continue }
            switch variable.proxy {
            case .success(let proxy): lines.append("\(scheme): \(proxy.location) (\(variable.name))")
            case .failure(let error):
                let problem = "\(variable.name) does not name a usable proxy, so that requests fail: \(error.code.text)"
                if !problems.contains(problem) { problems.append(problem) }
            }
        }
        if environment.plain == nil, variables["HTTP_PROXY"]?.isEmpty == false {
            problems.append("HTTP_PROXY has no effect, because a request can set it for a CGI program; set http_proxy")
        }
        let name = environment.exclusionsName ?? "no_proxy"
        for entry in environment.exclusions.ignoredEntries.prefix(Self.mostEntries) {
            problems.append("\(name) has an entry that matches no server: \(entry.prefix(Self.longestEntry))")
        }
        let rest = environment.exclusions.ignoredEntries.count - Self.mostEntries
        if rest > 0 { problems.append("\(name) has \(rest) more entries that match no server") }
        self.lines = lines
        self.problems = problems
    }

    private static let mostEntries = 20
    private static let longestEntry = 200
}
