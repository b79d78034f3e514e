#if os(Linux)
import Glibc
import Synchronization
import Testing

@testable import PiuPiuEngine

/// The lookups of a process, with names that hang until a test ends.
struct NameLookupsTests {
    private final class Owner: Sendable {}

    /// Answers at once, but for names that begin with `hang`.
    private final class Resolver: Sendable {
        let questions = Guarded<[String]>([])
        let mayEnd = Atomic<Bool>(false)

        func addresses(_ host: String) -> Result<[SocketAddress], LookupFailure> {
            questions.withLock { $0.append(host) }
            while host.hasPrefix("hang"), !mayEnd.load(ordering: .acquiring) { usleep(1000) }
            guard !host.hasPrefix("hang") else { return .failure(LookupFailure(.temporary, code: EAI_AGAIN)) }
            return .success([.loopback(isIPv6: false, port: 0)])
        }
    }

    private let resolver = Resolver()
    private let lookups: NameLookups

    init() {
        lookups = NameLookups { [resolver] host, _ in resolver.addresses(host) }
    }

    private func key(_ host: String, port: UInt16 = 80) -> AddressCache.Key {
        AddressCache.Key(host: host, port: port, family: .any)
    }

    private func addresses(_ host: String, port: UInt16 = 80) async -> Result<[SocketAddress], LookupFailure> {
        let owner = Owner()
        return await withCheckedContinuation { continuation in
            lookups.find(key(host, port: port), for: ObjectIdentifier(owner)) { continuation.resume(returning: $0) }
        }
    }

    @Test func namesAreFoundBesideThoseThatHang() async {
        defer { resolver.mayEnd.store(true, ordering: .releasing) }
        let owners = (0..<4).map { _ in Owner() }
        for owner in owners {
            for number in 0..<40 { lookups.find(key("hang\(number)"), for: ObjectIdentifier(owner)) { _ in } }
        }
        for number in 0..<10 {
            let found = await addresses("quick\(number)", port: UInt16(number + 1))
            #expect(found == .success([.loopback(isIPv6: false, port: UInt16(number + 1))]))
        }
        let asked = resolver.questions.withLock { $0 }
        #expect(Set(asked).count == asked.count && lookups.threadCount <= 64)
        for owner in owners {
            for number in 40..<300 { lookups.find(key("hang\(number)"), for: ObjectIdentifier(owner)) { _ in } }
        }
        // Nobody waits for the others any more, and none of them is asked for.
        for owner in owners {
            for number in 0..<300 { lookups.cancel(key("hang\(number)"), for: ObjectIdentifier(owner)) }
        }
        resolver.mayEnd.store(true, ordering: .releasing)
        #expect(await addresses("last") == .success([.loopback(isIPv6: false, port: 80)]))
        #expect(resolver.questions.withLock { $0.count } <= 63 + 10 + 1 && lookups.threadCount <= 64)
    }

    @Test func allWhoWaitGetTheirPortAndTheFailure() async {
        let results = await withTaskGroup(of: (UInt16, Result<[SocketAddress], LookupFailure>).self) { group in
            for port in 1...UInt16(8) { group.addTask { (port, await addresses("hang", port: port)) } }
            for port in 9...UInt16(16) { group.addTask { (port, await addresses("a", port: port)) } }
            group.addTask {
                resolver.mayEnd.store(true, ordering: .releasing)
                return (0, .success([]))
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for port in 1...UInt16(8) { #expect(results[port] == .failure(LookupFailure(.temporary, code: EAI_AGAIN))) }
        for port in 9...UInt16(16) { #expect(results[port] == .success([.loopback(isIPv6: false, port: port)])) }
    }

    @Test func thousandsOfNamesAreFound() async {
        let count = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<2000 {
                group.addTask { await addresses("name\(number)") == .success([.loopback(isIPv6: false, port: 80)]) }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 2000 && lookups.threadCount <= 64)
    }

    @Test func theProcessAsksTheSystem() async {
        let owner = Owner()
        let result = await withCheckedContinuation { continuation in
            NameLookups.shared.find(
                AddressCache.Key(host: "127.0.0.1", port: 1, family: .v4),
                for: ObjectIdentifier(owner)
            ) {
                continuation.resume(returning: $0)
            }
        }
        #expect(result == .success([.loopback(isIPv6: false, port: 1)]))
    }
}
#endif
