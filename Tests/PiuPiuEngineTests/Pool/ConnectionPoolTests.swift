import Testing

@testable import PiuPiuEngine

struct ConnectionPoolTests {
    private final class Connection {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    @Test func theConnectionThatWasUsedLastIsTakenFirst() {
        var pool = ConnectionPool<String, Connection>()
        for number in 1...3 { pool.add(Connection(number), to: "a", now: Int64(number), until: 100) }
        #expect(pool.take(from: "a", now: 5)?.connection.number == 3)
        #expect(pool.take(from: "b", now: 5)?.connection.number == nil)
        #expect(pool.count == 2)
    }

    @Test func aConnectionThatIsTooOldIsNotFresh() {
        var pool = ConnectionPool<String, Connection>()
        pool.add(Connection(1), to: "a", now: 0, until: 10)
        #expect(pool.take(from: "a", now: 10)?.isFresh == false)
        pool.add(Connection(2), to: "a", now: 0, until: 11)
        #expect(pool.take(from: "a", now: 10)?.isFresh == true)
    }

    @Test func oldConnectionsAreFound() {
        var pool = ConnectionPool<String, Connection>()
        #expect(pool.nextAge == .max)
        for number in 1...4 { pool.add(Connection(number), to: "\(number % 2)", now: 0, until: Int64(number * 10)) }
        #expect(pool.nextAge == 10)
        #expect(pool.takeOld(now: 20).map(\.number).sorted() == [1, 2])
        #expect(pool.nextAge == 30)
        #expect(pool.count == 2)
    }

    @Test func theOldestMakesRoom() {
        var pool = ConnectionPool<String, Connection>()
        pool.add(Connection(1), to: "a", now: 2, until: 100)
        pool.add(Connection(2), to: "b", now: 1, until: 100)
        pool.add(Connection(3), to: "b", now: 3, until: 100)
        let order = (0..<4).map { _ in pool.takeOldest()?.number }
        #expect(order == [2, 1, 3, nil])
        #expect(pool.count == 0)
    }

    @Test func keysThatAreNoLongerUsedAreForgotten() {
        var pool = ConnectionPool<Int, Connection>()
        for key in 0..<10 { pool.add(Connection(key), to: key, now: 0, until: 100) }
        for key in 10..<5000 {
            pool.add(Connection(key), to: key, now: 0, until: 100)
            #expect(pool.take(from: key, now: 0)?.connection.number == key)
            #expect(pool.listCount <= 10 + 66)
        }
        let others = (0..<10).map { pool.take(from: $0, now: 0)?.connection.number }
        #expect(others == Array(0..<10) && pool.count == 0)
    }

    @Test func whatIsRemovedIsNotTaken() {
        var pool = ConnectionPool<String, Connection>()
        let (one, two) = (Connection(1), Connection(2))
        pool.add(one, to: "a", now: 0, until: 100)
        pool.add(two, to: "a", now: 0, until: 100)
        pool.remove(two, from: "a")
        pool.remove(two, from: "a")
        #expect(pool.count == 1)
        #expect(pool.takeAll { $0 === one }.count == 1)
        #expect(pool.take(from: "a", now: 0)?.connection.number == nil)
    }
}
