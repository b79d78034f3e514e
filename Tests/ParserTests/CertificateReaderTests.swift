import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct CertificateReaderTests {
    /// A certificate with names and addresses, one with a common name alone, and one with a BMPString; made by openssl.
    static let samples: [[UInt8]] = [
        """
        MIIB2DCCAX6gAwIBAgIUZx2/WnYKGRagje1j4TaET7lH2B4wCgYIKoZIzj0EAwIwHjENMAsGA1UEAwwEbGVhZjENMAsGA1UECgwE
        w5ZyZzAeFw0yNjExMjMxNTQzNDRaFw0zNjExMjAxNTQzNDRaMB4xDTALBgNVBAMMBGxlYWYxDTALBgNVBAoMBMOWcmcwWTATBgcq
        hkjOPQIBBggqhkjOPQMBBwNCAARv6qnRisLBPX3+dcF7+v3iuyBc/l0k0ECVBiko7SVQRvdEYXkHQaBgDYvWBKDPe4d0ejro9h59
        bGzOoaFCAAJGo4GZMIGWMB0GA1UdDgQWBBQiQWSQBMdn3+VHCyUr6rwGUhpM9DAfBgNVHSMEGDAWgBQiQWSQBMdn3+VHCyUr6rwG
        UhpM9DAPBgNVHRMBAf8EBTADAQH/MEMGA1UdEQQ8MDqCBmEudGVzdIIIKi5iLnRlc3SHBMAAAgeHECABDbgAAAAAAAAAAAAAAAGG
        CWh0dHBzOi8veIEDYUBiMAoGCCqGSM49BAMCA0gAMEUCICRTHUfpl0QWAbD9FmSru73L+WWqCAwPpqFAa7su93KOAiEAoSsiBX87
        MrjSlh+QyQR+dni5TYIomx21T24ihI8MloU=
        """,
        """
        MIIBITCByQIUDM7tNXB5n+bPYU6JWCWqqzxvRFwwCgYIKoZIzj0EAwIwFDESMBAGA1UEAxMJb25seS50ZXN0MB4XDTI2MTEyMzE1
        NDM0NFoXDTM2MTEyMDE1NDM0NFowFDESMBAGA1UEAxMJb25seS50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEb+qp0YrC
        wT19/nXBe/r94rsgXP5dJNBAlQYpKO0lUEb3RGF5B0GgYA2L1gSgz3uHdHo66PYefWxszqGhQgACRjAKBggqhkjOPQQDAgNHADBE
        AiAjFMHhB/g9Kvpqp8nkLioI0IYg6n0bz1rLQOxmwOeiTQIgXjE6Leg3S8X4cEfKXuFiQEEipXLx3lgQtZI89nQl230=
        """,
        """
        MIIBODCB3wIUEt2EZ5H1TqRC5nAO1IRc2QSDolkwCgYIKoZIzj0EAwIwHzEPMA0GA1UEAx4GANwAbgDvMQwwCgYDVQQKEwNPcmcw
        HhcNMjYxMTIzMTU0MzQ0WhcNMzYxMTIwMTU0MzQ0WjAfMQ8wDQYDVQQDHgYA3ABuAO8xDDAKBgNVBAoTA09yZzBZMBMGByqGSM49
        AgEGCCqGSM49AwEHA0IABG/qqdGKwsE9ff51wXv6/eK7IFz+XSTQQJUGKSjtJVBG90RheQdBoGANi9YEoM97h3R6Ouj2Hn1sbM6h
        oUIAAkYwCgYIKoZIzj0EAwIDSAAwRQIhALJO1aWPu3QWOsah5Gr+2K28VHdjbP9BgLK5y/kO2yW+AiAuHUI+HYWI9iabp/pQN9MA
        9UogmX2/jn3cn6TtQYOR1w==
        """,
    ].map { Array(Data(base64Encoded: $0, options: .ignoreUnknownCharacters) ?? Data()) }

    /// An element in DER.
    private func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        guard count >= 0x80 else { return [tag, UInt8(count)] + content }
        return [tag, 0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)] + content
    }

    /// A certificate without what is of no interest here.
    private func certificate(names: [[UInt8]] = [], commonName: [UInt8] = [], dates: [[UInt8]] = []) -> [UInt8] {
        let subject = element(0x31, element(0x30, element(0x06, [0x55, 0x04, 0x03]) + commonName))
        let list = element(0x04, element(0x30, names.flatMap { $0 }))
        let extensions = element(0x30, element(0x30, element(0x06, [0x55, 0x1D, 0x11]) + element(0x01, [0xFF]) + list))
        let fields =
            element(0x02, [1]) + element(0x30, []) + element(0x30, []) + element(0x30, dates.flatMap { $0 })
            + element(0x30, commonName.isEmpty ? [] : subject) + element(0x30, []) + element(0xA3, extensions)
        return element(0x30, element(0x30, fields) + element(0x30, []) + element(0x03, [0]))
    }

    @Test func namesAndDatesOfAWholeCertificate() throws {
        let certificate = try #require(CertificateReader.certificate(Self.samples[0]))
        #expect(certificate.names == ["a.test", "*.b.test", "192.0.2.7", "2001:db8:0:0:0:0:0:1"])
        #expect(certificate.omittedNames == 0)
        #expect(certificate.subject == "leaf, Örg" && certificate.issuer == "leaf, Örg")
        #expect(certificate.validFrom == RFC3339.date(from: "2026-11-23T15:43:44Z"))
        #expect(certificate.validUntil == RFC3339.date(from: "2036-11-20T15:43:44Z"))
    }

    @Test func theCommonNameCountsWithoutOtherNames() throws {
        #expect(CertificateReader.certificate(Self.samples[1])?.names == ["only.test"])
        let certificate = try #require(CertificateReader.certificate(Self.samples[2]))
        #expect(certificate.subject == "Ünï, Org" && certificate.names == ["Ünï"])
    }

    @Test func manyAndLongNamesAreCutOff() throws {
        let names = (0..<100).map { element(0x82, Array(("\($0)." + String(repeating: "x", count: 500)).utf8)) }
        let certificate = try #require(CertificateReader.certificate(certificate(names: names)))
        #expect(certificate.names.count == 8 && certificate.omittedNames == 92)
        #expect(certificate.names.allSatisfy { $0.count == 101 && $0.hasSuffix("…") })
    }

    @Test func namesAreSafeToPrint() throws {
        let names = [element(0x82, [0x1B, 0x5B, 0x33, 0x0A]), element(0x82, [0xFF]), element(0x87, [1, 2, 3])]
        let certificate = try #require(CertificateReader.certificate(certificate(names: names)))
        #expect(certificate.names == [#"\u{1b}[3\u{a}"#, #"\u{fffd}"#, "an address of 3 bytes"])
    }

    @Test(
        arguments: [
            (0x0C, [0xC3, 0x9C], "Ü"), (0x14, [0xDC], "Ü"), (0x1E, [0x00, 0xDC], "Ü"), (0x1C, [0, 0, 0, 0xDC], "Ü"),
            (0x1E, [0x00], ""), (0x1E, [0xD8, 0x00, 0x00], #"\u{fffd}"#),
            (0x1C, [0xFF, 0xFF, 0xFF, 0xFF], #"\u{fffd}"#), (0x13, [], ""),
        ] as [(UInt8, [UInt8], String)]
    )
    func stringsOfEveryType(_ tag: UInt8, _ bytes: [UInt8], _ text: String) throws {
        let certificate = try #require(CertificateReader.certificate(certificate(commonName: element(tag, bytes))))
        #expect(certificate.subject == text)
    }

    @Test(
        arguments: [
            (0x17, "210101000000Z", "2021-01-01T00:00:00Z"), (0x17, "491231235959Z", "2049-12-31T23:59:59Z"),
            (0x17, "500101000000Z", "1950-01-01T00:00:00Z"), (0x18, "20500101000000Z", "2050-01-01T00:00:00Z"),
            (0x18, "99991231235959Z", "9999-12-31T23:59:59Z"), (0x17, "210230000000Z", nil), (0x17, "2101010000Z", nil),
            (0x17, "210101000000+0100", nil), (0x18, "20210101000000.5Z", nil), (0x17, "", nil), (0x17, "Z", nil),
            (0x18, "210101000000Z", nil), (0x17, "21010100000\u{FF10}Z", nil),
        ] as [(UInt8, String, String?)]
    )
    func dates(_ tag: UInt8, _ text: String, _ expected: String?) throws {
        let date = element(tag, Array(text.utf8))
        let certificate = try #require(CertificateReader.certificate(certificate(dates: [date, date])))
        #expect(certificate.validFrom == expected.flatMap { RFC3339.date(from: $0) })
        #expect(certificate.validUntil == certificate.validFrom)
    }

    @Test func whatIsNoCertificateIsRefused() {
        for bytes in [
            [], [0x30], [0x30, 0x80], [0x30, 0x85, 0, 0, 0, 0, 0], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x1F, 0],
        ]
            as [[UInt8]]
        {
            #expect(CertificateReader.certificate(bytes) == nil)
        }
        #expect(CertificateReader.certificate(Self.samples[0] + [UInt8](repeating: 0, count: 65_536)) == nil)
        for sample in Self.samples {
            for end in sample.indices { _ = CertificateReader.certificate(Array(sample[..<end])) }
        }
    }
}
