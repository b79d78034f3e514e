/// The proxy settings of the environment, by curl's rules.
///
/// `http_proxy` counts in lower case only: a web server hands the field `Proxy` of a request to a CGI program as
/// `HTTP_PROXY`, so that anybody could set it. An empty variable counts as none.
package struct ProxyEnvironment: Sendable {
    /// A variable that names a proxy, or fails to.
    struct Variable: Sendable {
        let name: String
        let proxy: Result<ProxyServer, ProxyServerError>
    }

    let plain: Variable?
    let secure: Variable?
    let exclusions: ProxyExclusions
    /// The variable that has the exclusions; `nil` if none does.
    let exclusionsName: String?

    /// Interprets variables.
    ///
    /// - Parameter variables: The variables of the environment.
    package init(_ variables: [String: String]) {
        func first(_ names: [String]) -> (name: String, value: String)? {
            for name in names {
                if let value = variables[name], !value.isEmpty { return (name, value) }
            }
            return nil
        }
        func variable(_ names: [String]) -> Variable? {
            first(names + ["all_proxy", "ALL_PROXY"]).map { name, value in
                Variable(name: name, proxy: Result { () throws(ProxyServerError) in try ProxyServer(value) })
            }
        }
        plain = variable(["http_proxy"])
        secure = variable(["https_proxy", "HTTPS_PROXY"])
        let list = first(["no_proxy", "NO_PROXY"])
        exclusions = ProxyExclusions(list?.value ?? "")
        exclusionsName = list?.name
    }

    /// Whether no request goes through a proxy.
    var isEmpty: Bool { plain == nil && secure == nil }

    /// Returns the variable that is in force for a request; `nil` for none.
    func variable(for target: RequestTarget) -> Variable? {
        guard let variable = target.isSecure ? secure : plain, !exclusions.contains(target) else {
            return nil
        }
        return variable
    }

    /// Whether a request would go through a proxy.
    package func hasProxy(for target: RequestTarget) -> Bool { variable(for: target) != nil }
}
