/// Values with costs; if they cost too much together, the table drops the least recently used ones.
///
/// Every operation takes constant time, except those that drop several values.
struct RecencyTable<Group: Hashable, Key: Hashable, Value> {
    private struct Node {
        var key: Key
        var group: Group
        var value: Value?
        var cost: Int
        /// The neighbors in the order of use; those of node 0 are the newest and the oldest.
        var newer: Int
        var older: Int
    }

    /// The maximum cost of all values.
    let limit: Int
    /// The cost of all values.
    private(set) var cost = 0
    /// Node 0 is the ring's anchor.
    private var nodes: [Node?] = [nil]
    private var newest = 0
    private var oldest = 0
    private var free: [Int] = []
    private var places: [Key: Int] = [:]
    private var members: [Group: Set<Int>] = [:]

    /// Creates an empty table.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of values.
    var count: Int { places.count }

    /// Returns a value, and makes it the newest.
    mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        if place != newest {
            unlink(place)
            link(place)
        }
        return nodes[place]?.value
    }

    /// Adds a value as the newest, replaces one with the same key, and drops the oldest ones if necessary.
    ///
    /// Returns whether it was cheap enough to be stored, and the dropped values, which must be released without a lock.
    mutating func insert(_ value: Value, for key: Key, in group: Group, cost: Int) -> (isStored: Bool, dropped: [Value])
    {
        var dropped = [remove(key)].compactMap { $0 }
        guard cost <= limit else { return (false, dropped) }
        while self.cost > limit - cost, oldest != 0, let node = nodes[oldest] {
            if let value = remove(node.key) { dropped.append(value) }
        }
        let node = Node(key: key, group: group, value: value, cost: cost, newer: 0, older: 0)
        let place: Int
        if let reused = free.popLast() {
            place = reused
            nodes[place] = node
        } else {
            place = nodes.count
            nodes.append(node)
        }
        places[key] = place
        members[group, default: []].insert(place)
        self.cost += cost
        link(place)
        return (true, dropped)
    }

    /// Removes a value.
    mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key), let node = nodes[place] else { return nil }
        unlink(place)
        nodes[place] = nil
        free.append(place)
        cost -= node.cost
        members[node.group]?.remove(place)
        if members[node.group]?.isEmpty == true { members[node.group] = nil }
        return node.value
    }

    /// Removes all values of a group.
    mutating func removeAll(in group: Group) -> [Value] {
        (members[group] ?? []).compactMap { place in nodes[place].flatMap { remove($0.key) } }
    }

    private mutating func link(_ place: Int) {
        nodes[place]?.newer = 0
        nodes[place]?.older = newest
        if newest != 0 { nodes[newest]?.newer = place } else { oldest = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        guard let node = nodes[place] else { return }
        if node.newer != 0 { nodes[node.newer]?.older = node.older } else { newest = node.older }
        if node.older != 0 { nodes[node.older]?.newer = node.newer } else { oldest = node.newer }
    }
}
