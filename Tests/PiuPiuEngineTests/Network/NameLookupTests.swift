#if os(Linux)
import Glibc
import Testing

@testable import PiuPiuEngine

struct NameLookupTests {
    private func texts(_ host: String, _ family: AddressFamily = .any) -> [String]? {
        try? NameLookup.addresses(of: host, port: 80, family: family).get().map(\.text)
    }

    @Test(arguments: ["localhost", "LocalHost", "localhost.", "a.localhost", "A.B.LOCALHOST."])
    func localhostIsThisMachine(_ host: String) {
        #expect(texts(host) == ["[::1]:80", "127.0.0.1:80"])
        #expect(texts(host, .v4) == ["127.0.0.1:80"])
        #expect(texts(host, .v6) == ["[::1]:80"])
    }

    @Test(arguments: [
        "", ".", "localhos", "alocalhost", ".localhost", "localhost.example", "localhost..", "LOCALHOS\u{54}x",
    ])
    func otherNamesAreNotLocalhost(_ host: String) {
        #expect(NameLookup.loopback(host, port: 80, family: .any) == nil)
    }

    @Test func addressesNeedNoServer() {
        #expect(texts("127.1") == ["127.0.0.1:80"])
        #expect(texts("::1") == ["[::1]:80"])
        #expect(texts("::1", .v4) == nil && texts("127.0.0.1", .v6) == nil)
    }

    @Test func whatIsNoNameIsNotFound() {
        for host in ["", "a\0b", "::g", String(repeating: "a", count: 300)] {
            let result = NameLookup.addresses(of: host, port: 80)
            guard case .failure(let failure) = result else {
                Issue.record("\(host)")
                continue
            }
            #expect(failure.kind != .outOfResources && !failure.text.isEmpty, "\(host)")
        }
    }

    @Test func codesHaveKinds() {
        #expect(LookupFailure(code: EAI_NONAME, errno: 0).kind == .notFound)
        #expect(LookupFailure(code: EAI_FAIL, errno: 0).kind == .notFound)
        #expect(LookupFailure(code: EAI_AGAIN, errno: ECONNREFUSED).kind == .temporary)
        #expect(LookupFailure(code: EAI_SYSTEM, errno: EIO).kind == .temporary)
        #expect(LookupFailure(code: EAI_SYSTEM, errno: EIO).text == OpenFailure.text(of: EIO))
        #expect(LookupFailure(code: EAI_SYSTEM, errno: EMFILE).kind == .outOfResources)
        #expect(LookupFailure(code: EAI_MEMORY, errno: 0).kind == .outOfResources)
        #expect(LookupFailure(code: EAI_NONAME, errno: 0).text == String(cString: gai_strerror(EAI_NONAME)))
    }
}

struct AddressCacheTests {
    private func key(_ host: String) -> AddressCache.Key { AddressCache.Key(host: host, port: 80, family: .any) }
    private let addresses = [SocketAddress(.v4(1, port: 80))]

    @Test func addressesLiveForTheirTime() {
        var cache = AddressCache()
        cache.store(addresses, for: key("a"), now: 100)
        #expect(cache.addresses(for: key("a"), timeToLive: 60, now: 159) == addresses)
        #expect(cache.addresses(for: key("b"), timeToLive: 60, now: 100) == nil)
        #expect(
            cache.addresses(for: AddressCache.Key(host: "a", port: 81, family: .any), timeToLive: 60, now: 100) == nil
        )
        #expect(
            cache.addresses(for: AddressCache.Key(host: "a", port: 80, family: .v4), timeToLive: 60, now: 100) == nil
        )
        #expect(cache.addresses(for: key("a"), timeToLive: 0, now: 100) == nil && cache.count == 1)
        #expect(cache.addresses(for: key("a"), timeToLive: 60, now: 160) == nil)
    }

    @Test func itIsBounded() {
        var cache = AddressCache(maximumCount: 3)
        for number in 0..<10 {
            cache.store(addresses, for: key("\(number)"), now: Int64(number))
            #expect(cache.count == min(3, number + 1))
        }
        cache.store(addresses, for: key("7"), now: 20)
        #expect(cache.count == 3)
        cache.store(addresses, for: key("x"), now: 21)
        let known = ["7", "8", "9", "x"].filter { cache.addresses(for: key($0), timeToLive: 100, now: 21) != nil }
        #expect(known == ["7", "9", "x"])
    }

    @Test func whatIsRemovedIsForgotten() {
        var cache = AddressCache()
        cache.store([], for: key("a"), now: 0)
        #expect(cache.count == 0)
        for host in ["a", "b", "c"] { cache.store(addresses, for: key(host), now: 0) }
        cache.remove(key("a"))
        #expect(cache.addresses(for: key("a"), timeToLive: 10, now: 0) == nil && cache.count == 2)
        cache.removeAll()
        #expect(cache.count == 0)
    }

    @Test func aNameIsLookedUpOnce() {
        var pending = PendingLookups<AddressCache.Key, Int>()
        let starts = [(1, "a"), (2, "a"), (3, "b")].map { pending.add($0, for: key($1)) }
        #expect(starts == [true, false, true] && pending.count == 2)
        #expect(pending.end(key("a")) == [1, 2] && pending.end(key("a")).isEmpty)
        let startsAgain = pending.add(4, for: key("a"))
        #expect(startsAgain)
    }
}
#endif
