/// The responses on their way into a cache, as a pure value: a change of their resource in the meantime makes them unfit to be
/// stored.
struct CacheFetches {
    /// A response on its way.
    struct Ticket: Hashable {
        let resource: CacheKey.Resource
        fileprivate let number: Int
    }

    private var valid: [CacheKey.Resource: Set<Int>] = [:]
    private var nextNumber = 0

    /// Whether there are no responses on their way.
    var isEmpty: Bool { valid.isEmpty }

    /// Starts a request whose response may be stored.
    mutating func begin(_ resource: CacheKey.Resource) -> Ticket {
        nextNumber += 1
        valid[resource, default: []].insert(nextNumber)
        return Ticket(resource: resource, number: nextNumber)
    }

    /// Whether the resource has not changed since the request.
    func isValid(_ ticket: Ticket) -> Bool { valid[ticket.resource]?.contains(ticket.number) ?? false }

    /// Ends a request.
    mutating func end(_ ticket: Ticket) {
        valid[ticket.resource]?.remove(ticket.number)
        if valid[ticket.resource]?.isEmpty == true { valid[ticket.resource] = nil }
    }

    /// Makes all responses on their way unfit that belong to one of some resources; `nil` for all resources.
    mutating func invalidate(_ resources: [CacheKey.Resource]?) {
        guard let resources else { return valid = [:] }
        for resource in resources { valid[resource] = nil }
    }
}

/// A place in ``CacheFetches``, freed when this object is released.
final class CacheTicket: Sendable {
    private let fetches: Locked<CacheFetches>
    private let ticket: CacheFetches.Ticket

    init(_ fetches: Locked<CacheFetches>, _ resource: CacheKey.Resource) {
        self.fetches = fetches
        ticket = fetches.withLock { $0.begin(resource) }
    }

    deinit {
        let ticket = ticket
        fetches.withLock { $0.end(ticket) }
    }

    /// Whether the resource has not changed since.
    var isValid: Bool { fetches.withLock { $0.isValid(ticket) } }
}
