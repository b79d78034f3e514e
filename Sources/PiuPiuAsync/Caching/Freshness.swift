import PiuPiuEngine

/// How long a stored response is fresh (RFC 9111 §4.2), computed once, when it arrives.
///
/// All times are seconds, and those of day are since 1970. A clock that was set back to before the response arrived makes
/// it stale: nothing tells how old it is then.
struct Freshness: Equatable, Sendable {
    /// How long the response is fresh, from when it was made.
    let lifetime: Double
    /// Whether nothing but its last modification tells how long.
    let isHeuristic: Bool
    /// How old the response was when it arrived.
    let initialAge: Double
    /// When it arrived.
    let responseTime: Double

    /// The part of the time since its last modification for which a response is fresh (RFC 9111 §4.2.2).
    private static let heuristicPart = 0.1
    /// The longest heuristic lifetime: a day.
    private static let heuristicLimit = 86_400.0

    /// Computes the freshness of a response.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - headers: The header fields.
    ///   - directives: The directives among them.
    ///   - requestTime: When the request was sent.
    ///   - responseTime: When the head arrived.
    init(
        statusCode: Int,
        headers: HTTPHeaderFields,
        directives: CacheControl,
        requestTime: Double,
        responseTime: Double
    ) {
        let now = Date(timeIntervalSince1970: responseTime)
        let date = headers.values(for: "Date").first.flatMap { Self.date($0, now: now) } ?? responseTime
        let age = Double(Self.age(headers.values(for: "Age").first))
        initialAge = max(0, responseTime - date, age + max(0, responseTime - requestTime))
        self.responseTime = responseTime
        let expires = headers.values(for: "Expires").first
        if let maxAge = directives.maxAge {
            (lifetime, isHeuristic) = (Double(maxAge), false)
        } else if let expires {
            // A value in any other form is a time in the past (RFC 9111 §5.3).
            let end = Self.expiration(expires, now: now) ?? date
            (lifetime, isHeuristic) = (min(Double(CacheControl.longestTime), max(0, end - date)), false)
        } else if Self.heuristicCodes.contains(statusCode) || directives.isPublic,
            let modified = headers.values(for: "Last-Modified").first.flatMap({ Self.date($0, now: now) })
        {
            let lifetime = max(0, date - modified) * Self.heuristicPart
            (self.lifetime, isHeuristic) = (min(lifetime, Self.heuristicLimit), true)
        } else {
            (lifetime, isHeuristic) = (0, true)
        }
    }

    /// The status codes of responses that are reusable without saying so (RFC 9110 §15.1), except 206.
    static let heuristicCodes: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The first member of `Age`; 0 if it is no number (RFC 9111 §5.1).
    private static func age(_ value: String?) -> Int {
        CacheControl.seconds(value?.split(separator: ",").first.map(String.init)) ?? 0
    }

    /// Parses a date in one of the forms of HTTP, whose letters may be of any case here (RFC 9111 §4.2).
    private static func expiration(_ text: String, now: Date) -> Double? {
        guard text.utf8.count <= 100 else { return nil }
        let usual = text.capitalized.replacing("Gmt", with: "GMT")
        return HTTPDate.parse(usual, now: now)?.timeIntervalSince1970
    }

    /// Parses a date, in a form of HTTP or one that is like it, as browsers do.
    private static func date(_ text: String, now: Date) -> Double? {
        guard text.utf8.count <= 100 else { return nil }
        return (HTTPDate.parse(text, now: now) ?? ForgivingDate.parse(text, now: now))?.timeIntervalSince1970
    }

    /// The age of the response (RFC 9111 §4.2.3).
    ///
    /// - Parameter now: The present.
    /// - Returns: The age, in seconds.
    func age(at now: Double) -> Double { initialAge + max(0, now - responseTime) }

    /// How long the response will be fresh, in seconds; how long it has been stale, if negative; 0 is stale.
    ///
    /// - Parameter now: The present.
    /// - Returns: The time.
    func remaining(at now: Double) -> Double {
        guard now >= responseTime - 1 else { return min(0, lifetime - age(at: now)) }
        return lifetime - age(at: now)
    }
}
