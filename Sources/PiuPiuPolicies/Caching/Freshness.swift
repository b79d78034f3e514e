/// How long a stored response is fresh (RFC 9111 §4.2), computed once, when it arrives.
///
/// All times are in seconds, and points in time are since 1970. If the clock was set back to before the response arrived, the
/// response is stale: its age is then unknown.
struct Freshness: Equatable, Sendable {
    /// How long the response is fresh after its creation.
    let lifetime: Double
    /// Whether the lifetime is only derived from the last modification.
    let isHeuristic: Bool
    /// The age of the response when it arrived.
    let initialAge: Double
    /// When it arrived.
    let responseTime: Double

    /// The fraction of the time since its last modification for which a response is fresh (RFC 9111 §4.2.2).
    private static let heuristicPart = 0.1
    /// The longest heuristic lifetime: a day.
    private static let heuristicLimit = 86_400.0

    /// Computes the freshness of a response.
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
            // Any other form means a time in the past (RFC 9111 §5.3).
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

    /// The status codes of responses that are reusable by default (RFC 9110 §15.1), except 206.
    static let heuristicCodes: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// Parses the first member of `Age`; 0 if it is not a number (RFC 9111 §5.1).
    private static func age(_ value: String?) -> Int {
        CacheControl.seconds(value?.split(separator: ",").first.map(String.init)) ?? 0
    }

    /// Parses a date in one of the forms of HTTP, with letters in any case (RFC 9111 §4.2).
    private static func expiration(_ text: String, now: Date) -> Double? {
        guard text.utf8.count <= 100 else { return nil }
        let usual = text.capitalized.replacing("Gmt", with: "GMT")
        return HTTPDate.parse(usual, now: now)?.timeIntervalSince1970
    }

    /// Parses a date in a form of HTTP or a similar one, as browsers do.
    private static func date(_ text: String, now: Date) -> Double? {
        guard text.utf8.count <= 100 else { return nil }
        return (HTTPDate.parse(text, now: now) ?? ForgivingDate.parse(text, now: now))?.timeIntervalSince1970
    }

    /// Returns the age of the response in seconds (RFC 9111 §4.2.3).
    func age(at now: Double) -> Double { initialAge + max(0, now - responseTime) }

    /// Returns for how many seconds the response stays fresh; if it is zero or negative, the response is stale.
    func remaining(at now: Double) -> Double {
        guard now >= responseTime - 1 else { return min(0, lifetime - age(at: now)) }
        return lifetime - age(at: now)
    }
}
