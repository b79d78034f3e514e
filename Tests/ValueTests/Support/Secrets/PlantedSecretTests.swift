import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// One secret, planted in everything that can hold one.
struct PlantedSecretTests {
    @Test func nothingShowsThePlantedSecret() async throws {
        let kinds =
            PlantedSecret.errors + PlantedSecret.messages + PlantedSecret.bodies + PlantedSecret.machinery
            + PlantedSecret.cookies
            + PlantedSecret.connections
            + (try await PlantedSecret.answers()) + (try await PlantedSecret.startedIterators())
            + (try await PlantedSecret.recordings()) + PlantedSecret.requestParts
            + (try await PlantedSecret.credentials()) + (try await PlantedSecret.lists())
            + (try PlantedSecret.proxies())
        var ways = 0
        for kind in kinds {
            for showing in SecretSearch.showings(of: kind.value) {
                ways += 1
                #expect(!showing.tells, "\(kind.kind), by \(showing.way): \(showing.text.prefix(300))")
            }
        }
        #expect(Set(kinds.map(\.kind)).count >= 60)
        #expect(ways >= 200)
    }

    #if os(Linux)
    @Test func theSecretIsInWhatIsSearched() throws {
        let kinds = Dictionary(uniqueKeysWithValues: PlantedSecret.connections.map { ($0.kind, "\($0.value)") })
        for kind in PlantedSecret.plannedKinds { #expect(try #require(kinds[kind]) != "nil", "\(kind)") }
    }
    #endif

    @Test func aCrashShowsNoSecret() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            // swift-format-ignore: NeverUseForceTry
            try! PlantedSecretTests.fail()
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("TransportError.proxy"))
        #expect(!SecretSearch.isFound(in: text))
    }

    private static func fail() throws {
        throw TransportError(
            .proxy,
            request: PlantedSecret.request,
            response: PlantedSecret.head,
            underlyingDescription: PlantedSecret.libraryTexts[1]
        )
    }

    @Test(arguments: ["", "a", "ab", "abc"])
    func theSearchFindsWhatIsThere(_ prefix: String) {
        struct Holder {
            let inner: [Data]
        }
        let text = prefix + SecretSearch.secret + "xyz"
        #expect(SecretSearch.isFound(in: text))
        #expect(SecretSearch.isFound(in: Data(text.utf8).base64EncodedString()))
        let holder = Holder(inner: [Data(text.utf8)])
        #expect(SecretSearch.showings(of: holder).contains { $0.way == "Mirror" && $0.tells })
        #expect(SecretSearch.showings(of: text).allSatisfy { $0.tells })
    }
}
