/// The proxy settings of the environment, read as libcurl reads them.
struct ProxyEnvironment {
    private let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// Whether a request would go through a proxy.
    func hasProxy(for target: RequestTarget) -> Bool {
        // libcurl reads HTTP_PROXY only in lower case, because CGI uses the upper-case name for something else.
        let names = (target.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
        guard names.contains(where: { variables[$0]?.isEmpty == false }) else { return false }
        return !isExempt(target.host)
    }

    private func isExempt(_ host: Substring) -> Bool {
        let list = variables["no_proxy"] ?? variables["NO_PROXY"] ?? ""
        return list.split { $0 == "," || $0 == " " }.contains { entry in
            let name = entry.drop { $0 == "." }.lowercased()
            return entry == "*" || host == name || host.hasSuffix("." + name)
        }
    }
}
