import PiuPiuEngine

extension FuzzCase {
    /// The pool of idle connections, used as an engine does, beside a list that is searched from end to end.
    static let pool = FuzzCase(name: "Pool", limit: 400) { random in
        choices(&random, upTo: 200)
    } check: { input throws(FuzzProblem) in
        var story = PoolStory(input)
        try story.run()
    }
}

private struct PoolStory {
    /// What requests must have in common: the origin, and who they come from.
    struct Key: Hashable {
        let origin: Int
        let identity: Int
    }

    final class Connection {
        let key: Key
        let oldAt: Int64
        var isOpen = true
        init(_ key: Key, oldAt: Int64) { (self.key, self.oldAt) = (key, oldAt) }
    }

    struct Idle {
        let connection: Connection
        let since: Int64
        let until: Int64
    }

    var choices: FuzzChoices
    var pool = ConnectionPool<Key, Connection>()
    /// The idle connections, the one that was added last at the end.
    var model: [Idle] = []
    var busy: [Connection] = []
    var now: Int64 = 0
    let maximum: Int

    init(_ input: [UInt8]) {
        choices = FuzzChoices(input)
        maximum = 1 + choices.below(6)
    }

    mutating func run() throws(FuzzProblem) {
        while !choices.isOver {
            switch choices.below(10) {
            case 0, 1, 2: try request()
            case 3, 4: giveBack()
            case 5: try closeByServer()
            case 6: now += choices.element(of: [0, 1, 1, 5, 20, 1000])
            case 7: try closeOld()
            case 8:
                // A connection that is busy breaks; the pool does not know it.
                if !busy.isEmpty { busy.remove(at: choices.below(busy.count)).isOpen = false }
            default: try closeSome()
            }
            try compare()
        }
        let rest = pool.takeAll { _ in true }
        try same(rest, model, "not all connections are found in the end")
        try demand(pool.count == 0 && pool.takeOldest() == nil, "something is left in the end")
    }

    private mutating func key() -> Key { Key(origin: choices.below(3), identity: choices.below(2)) }

    /// Takes an idle connection, or opens one, for which the oldest makes room.
    private mutating func request() throws(FuzzProblem) {
        let key = key()
        while true {
            let expected = model.last { $0.connection.key == key }
            guard let (connection, isFresh) = pool.take(from: key, now: now) else {
                try demand(expected == nil, "an idle connection is not found")
                break
            }
            try demand(connection.key == key, "a connection of another origin or identity is taken")
            try demand(connection.isOpen, "a connection is taken that was closed")
            try demand(!busy.contains { $0 === connection }, "a connection is taken that is busy")
            try demand(connection === expected?.connection, "it is not the one that was used last")
            model.removeAll { $0.connection === connection }
            try demand(isFresh == (now < expected?.until ?? 0), "a connection is fresh too long, or not long enough")
            guard isFresh else {
                connection.isOpen = false
                continue
            }
            try demand(now < connection.oldAt, "a connection is too old")
            return busy.append(connection)
        }
        while busy.count + model.count >= maximum, let oldest = pool.takeOldest() {
            let first = model.map(\.since).min()
            guard let place = model.firstIndex(where: { $0.connection === oldest }) else {
                throw FuzzProblem(text: "what makes room is not idle")
            }
            try demand(model[place].since == first, "what makes room is not the oldest")
            oldest.isOpen = false
            model.remove(at: place)
        }
        try demand(busy.count < maximum || model.isEmpty, "an idle connection takes the place of a busy one")
        guard busy.count < maximum else { return }
        busy.append(Connection(key, oldAt: now + choices.element(of: [1, 10, 50, 100_000])))
    }

    private mutating func giveBack() {
        guard !busy.isEmpty else { return }
        let connection = busy.remove(at: choices.below(busy.count))
        let until = min(now + choices.element(of: [0, 1, 5, 30, 100_000]), connection.oldAt)
        guard until > now else { return connection.isOpen = false }
        pool.add(connection, to: connection.key, now: now, until: until)
        model.append(Idle(connection: connection, since: now, until: until))
    }

    private mutating func closeByServer() throws(FuzzProblem) {
        let count = pool.count
        guard !model.isEmpty, choices.below(4) > 0 else {
            // One that is not there, such as a busy one.
            pool.remove(busy.first ?? Connection(Key(origin: 0, identity: 0), oldAt: 0), from: key())
            return try demand(pool.count == count, "what is not there is removed")
        }
        let connection = model.remove(at: choices.below(model.count)).connection
        connection.isOpen = false
        pool.remove(connection, from: connection.key)
        pool.remove(connection, from: connection.key)
    }

    private mutating func closeOld() throws(FuzzProblem) {
        let old = model.filter { $0.until <= now }
        try demand(old.isEmpty || pool.nextAge <= now, "nobody is woken for a connection that is too old")
        try same(pool.takeOld(now: now), old, "the connections that are too old are not those")
        for idle in old { idle.connection.isOpen = false }
        model.removeAll { $0.until <= now }
        try demand(pool.nextAge == model.map(\.until).min() ?? .max, "the next age is another after a search")
    }

    private mutating func closeSome() throws(FuzzProblem) {
        let identity = choices.below(3)
        let meant = model.filter { $0.connection.key.identity == identity }
        try same(pool.takeAll { $0.key.identity == identity }, meant, "the connections of an identity are not those")
        for idle in meant { idle.connection.isOpen = false }
        model.removeAll { $0.connection.key.identity == identity }
    }

    private func compare() throws(FuzzProblem) {
        try demand(pool.count == model.count, "the number of idle connections differs")
        try demand(pool.nextAge <= model.map(\.until).min() ?? .max, "the next age is too late")
        try demand(busy.count + model.count <= maximum, "there are more connections than allowed")
    }

    private func same(_ some: [Connection], _ others: [Idle], _ problem: String) throws(FuzzProblem) {
        let isSame = Set(some.map(ObjectIdentifier.init)) == Set(others.map { ObjectIdentifier($0.connection) })
        try demand(isSame && some.count == others.count, problem)
    }
}
