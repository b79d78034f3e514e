import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

/// Which settings an origin has.
struct TLSRulesTests {
    private let pins = (1...3).compactMap { try? SPKIPin(digest: Data(repeating: UInt8($0), count: 32)) }

    private func origin(_ rules: TLSRules, _ url: String) throws -> String? {
        rules.origin(for: try RequestTarget(Fixture.url(url)))
    }

    @Test func withoutSettingsAllOriginsAreAlike() throws {
        let rules = try TLSRules(TransportConfiguration())
        #expect(rules.isUniform)
        #expect(try origin(rules, "https://a.example") == nil)
    }

    @Test func pinsBelongToAHostWithAllItsPortsAndSpellings() throws {
        var configuration = TransportConfiguration()
        configuration.tls.pins = ["A.example": [pins[0]], "::1": [pins[1]], "192.0.2.1": [pins[2]]]
        let rules = try TLSRules(configuration)
        #expect(!rules.isUniform)
        for (url, pin) in [
            ("https://a.example/x", pins[0]), ("https://A.EXAMPLE:8443", pins[0]), ("https://a.example./", pins[0]),
            ("https://[::1]/", pins[1]), ("https://192.0.2.1", pins[2]),
        ] {
            let origin = try #require(try origin(rules, url))
            #expect(try rules.pins(of: origin) == [pin])
        }
        for url in ["http://a.example", "https://b.a.example", "https://example", "https://a.example.b"] {
            #expect(try origin(rules, url) == nil)
        }
    }

    @Test func pinsOfAnOriginTakeThePlaceOfThoseOfTheTransport() throws {
        var configuration = TransportConfiguration()
        configuration.tls.pins = ["a.example": [pins[0]]]
        configuration.tlsByOrigin[Fixture.url("https://a.example:1")] = TLSConfiguration()
        var own = TLSConfiguration()
        own.pins = ["a.example": [pins[1], pins[2]]]
        configuration.tlsByOrigin[Fixture.url("https://a.example:2/")] = own
        configuration.tlsByOrigin[Fixture.url("https://b.example")] = TLSConfiguration()
        let rules = try TLSRules(configuration)
        #expect(try rules.pins(of: "https://a.example:1") == [pins[0]])
        #expect(try rules.pins(of: "https://a.example:2") == [pins[1], pins[2]])
        #expect(try rules.pins(of: "https://a.example:443") == [pins[0]])
        #expect(try rules.pins(of: "https://b.example:443") == [])
        #expect(try origin(rules, "https://b.example") == "https://b.example:443")
        #expect(try origin(rules, "https://b.example:444") == nil)
    }

    @Test func blocksOfPEMAreToldApart() {
        let text = """
            comment: x
            -----BEGIN CERTIFICATE-----
            MAA=
            -----END CERTIFICATE-----
            -----BEGIN EC PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-128-CBC,00

            AAAA
            -----END EC PRIVATE KEY-----
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MAA=
            -----END ENCRYPTED PRIVATE KEY-----
            -----BEGIN PRIVATE KEY-----
            MAA=
            -----END PRIVATE KEY-----
            -----BEGIN X509 CRL-----
            MAA=
            -----END X509 CRL-----
            -----BEGIN CERTIFICATE-----
            not Base64!
            -----END CERTIFICATE-----
            -----BEGIN CERTIFICATE-----
            MAA=
            """
        for lineEnd in ["\n", "\r\n"] {
            let blocks = PEMBlock.blocks(in: Data(text.replacing("\n", with: lineEnd).utf8))
            #expect(blocks.map(\.isCertificate) == [true, false, false, false, false, false])
            #expect(blocks.map(\.isKey) == [false, true, true, true, false, false])
            #expect(blocks.map(\.isEncrypted) == [false, true, true, false, false, false])
            #expect(blocks.map(\.isRevocationList) == [false, false, false, false, true, false])
        }
        #expect(
            PEMBlock.blocks(in: Data("-----BEGIN -----\n-----END -----\n-----BEGIN x-----\n-----END y-----".utf8))
                .isEmpty
        )
    }
}
