/// The interceptors of a chain, in the order in which a request passes them.
///
/// This is the only place that decides about the order; <doc:Interceptors> describes it.
package struct InterceptorOrder: Sendable {
    /// The interceptors, outermost first.
    package let interceptors: [any Interceptor]
    /// The number of interceptors up to the last one that distinguishes callers.
    let distinguishingCount: Int

    /// Orders everything that a dispatcher runs around its transport.
    ///
    /// - Parameters:
    ///   - listed: The interceptors that the caller listed, outermost first.
    ///   - adapters: The request and response adapters.
    ///   - files: The interceptor that answers requests for `file:` URLs; outside the redirect policy, so that no redirect
    ///     reaches it.
    ///   - redirects: The redirect policy.
    ///   - cookies: The cookie jar, which is innermost: it sees the request that is sent, and a policy that sends a request
    ///     again sends newer cookies.
    package init(
        _ listed: [any Interceptor],
        adapters: (any Interceptor)?,
        files: (any Interceptor)?,
        redirects: RedirectPolicy?,
        cookies: (any Interceptor)?
    ) {
        var order: [any Interceptor] = listed.filter { !$0.interceptsEachHop }
        if let adapters { order.append(adapters) }
        if let files { order.append(files) }
        if let redirects { order.append(redirects) }
        order += listed.filter(\.interceptsEachHop)
        if let cookies { order.append(cookies) }
        self.init(order)
    }

    /// Moves each policy that compares requests, such as `Coalescing`, behind all interceptors that may make the requests of
    /// two callers different.
    ///
    /// In front of them, it would give one caller the response of another.
    init(_ order: [any Interceptor]) {
        let count = Self.distinguishingCount(order)
        let outer = order.prefix(count)
        let comparing = outer.filter { $0 is any ComparingInterceptor }
        guard !comparing.isEmpty else {
            (interceptors, distinguishingCount) = (order, count)
            return
        }
        interceptors = outer.filter { !($0 is any ComparingInterceptor) } + comparing + order.dropFirst(count)
        distinguishingCount = Self.distinguishingCount(interceptors)
    }

    private static func distinguishingCount(_ interceptors: [any Interceptor]) -> Int {
        interceptors.lastIndex(where: \.distinguishesCallers).map { $0 + 1 } ?? 0
    }
}
