/// The proxy settings of the environment, by curl's rules.
///
/// Only the lower-case form of `http_proxy` counts: a web server passes the field `Proxy` of a request to a CGI program as
/// `HTTP_PROXY`, so any client could set it. An empty variable counts as unset.
package struct ProxyEnvironment: Sendable {
    /// A variable that contains a proxy, valid or not.
    package struct Variable: Sendable {
        package let name: String
        package let proxy: Result<ProxyServer, ProxyServerError>
    }

    let plain: Variable?
    let secure: Variable?
    let exclusions: ProxyExclusions
    /// The name of the variable with the exclusions; `nil` if none is set.
    let exclusionsName: String?

    /// Parses environment variables.
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
    package var isEmpty: Bool { plain == nil && secure == nil }

    /// Returns the variable that applies to a request; `nil` for none.
    package func variable(for target: RequestTarget) -> Variable? {
        guard let variable = target.isSecure ? secure : plain, !exclusions.contains(target) else {
            return nil
        }
        return variable
    }

    /// Whether a request would go through a proxy.
    package func hasProxy(for target: RequestTarget) -> Bool { variable(for: target) != nil }
}
