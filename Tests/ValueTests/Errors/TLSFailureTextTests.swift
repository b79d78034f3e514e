import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct TLSFailureTextTests {
    private static let date = RFC3339.date(from: "2021-01-01T00:00:00Z")

    @Test("Every kind has a sentence and a suggestion of its own, for a server and for a proxy")
    func sentences() {
        let failures = TLSFailure.Kind.all.map { TLSFailure($0, host: "a.test") }
        #expect(Set(failures.map(\.description)).count == failures.count)
        for failure in failures {
            #expect(!failure.description.isEmpty && !failure.description.hasSuffix("."))
            #expect(failure.recoverySuggestion.hasSuffix(".") && failure.recoverySuggestion.count > 20)
            var proxy = failure
            proxy.isProxy = true
            #expect(!proxy.description.contains("server's"), "\(proxy)")
            #expect(!proxy.recoverySuggestion.contains("the server"), "\(proxy.recoverySuggestion)")
        }
        #expect(Set(TLSFailure.Kind.all.map(\.description)).count == TLSFailure.Kind.all.count)
    }

    @Test func sentencesManageWithoutACertificate() {
        #expect("\(TLSFailure(.expired))" == "The server's certificate expired")
        #expect("\(TLSFailure(.notYetValid, isProxy: true))" == "The proxy's certificate is not valid yet")
        #expect("\(TLSFailure(.wrongHost))" == "The server's certificate is for other names, not for the server's name")
        #expect("\(TLSFailure(.alert, alert: 200))" == "The server ended the TLS handshake (alert 200)")
    }

    @Test func sentencesNameWhatIsKnown() {
        let certificate = TLSFailure.Certificate(
            subject: "Old",
            names: ["a", "b"],
            omittedNames: 3,
            validUntil: Self.date
        )
        func text(_ kind: TLSFailure.Kind, _ depth: Int) -> String {
            TLSFailure(kind, host: "h", certificate: certificate, depth: depth).description
        }
        #expect(text(.expired, 0) == "The server's certificate expired on 2021-01-01 00:00:00 UTC")
        #expect(
            text(.expired, 2)
                == "An authority's certificate in the server's chain (Old) expired on 2021-01-01 00:00:00 UTC"
        )
        #expect(text(.wrongHost, 0) == "The server's certificate is for a, b and 3 more, not for h")
        #expect(TLSFailure(.expired, depth: 1).recoverySuggestion != TLSFailure(.expired).recoverySuggestion)
        #expect(TLSFailure(.alert, alert: 112).recoverySuggestion.contains("name"))
    }

    @Test func anErrorPassesItOn() {
        var error = TransportError(.tls)
        #expect(error.recoverySuggestion == TransportError.Code.tls.explanation.remedy && error.tlsFailure == nil)
        error.tlsFailure = TLSFailure(.expired)
        #expect(error.recoverySuggestion == "Renew the certificate on the server, or check this machine's clock.")
        #expect((error as any LocalizedError).recoverySuggestion == error.recoverySuggestion)
        #expect(TLSFailure.Kind.expired ~= error && !(TLSFailure.Kind.weak ~= error))
        #expect(!(TLSFailure.Kind.expired ~= CancellationError()))
    }

    @Test func aCatchClauseAndASwitchCanNameAKind() {
        func caught(_ error: any Error) -> String {
            do {
                throw error
            } catch TLSFailure.Kind.wrongHost {
                return "host"
            } catch let error as TransportError {
                switch error.tlsFailure?.kind {
                case .some(.expired): return "expired"
                default: return "other"
                }
            } catch {
                return "none"
            }
        }
        var error = TransportError(.tls)
        #expect(caught(error) == "other")
        error.tlsFailure = TLSFailure(.wrongHost)
        #expect(caught(error) == "host")
        error.tlsFailure = TLSFailure(.expired)
        #expect(caught(error) == "expired" && caught(CancellationError()) == "none")
    }

    // The words of libcurl and OpenSSL, in the versions that differ.
    @Test(arguments: [
        ("SSL certificate problem: certificate has expired", TLSFailure.Kind.expired),
        ("SSL certificate OpenSSL verify result: certificate has expired (10)", .expired),
        ("SSL certificate problem: certificate is not yet valid", .notYetValid),
        ("SSL: no alternative certificate subject name matches target hostname 'localhost'", .wrongHost),
        ("SSL: certificate subject name 'x' does not match target host name 'localhost'", .wrongHost),
        ("SSL certificate problem: self-signed certificate", .selfSigned),
        ("SSL certificate problem: self signed certificate", .selfSigned),
        ("SSL certificate problem: self-signed certificate in certificate chain", .unknownAuthority),
        ("SSL certificate problem: unable to get local issuer certificate", .unknownAuthority),
        ("SSL certificate problem: EE certificate key too weak", .weak),
        ("SSL certificate problem: CA signature digest algorithm too weak", .weak),
        ("OpenSSL/3.0.22: error:0A00010B:SSL routines::wrong version number", .notTLS),
        ("OpenSSL SSL_connect: SSL_ERROR_ZERO_RETURN in connection to localhost:9410 ", .connectionLost),
        ("TLS connect error: error:00000000:lib(0)::reason(0)", .connectionLost),
        ("gnutls_handshake() failed: Handshake failed", .other),
    ])
    func wordsAreTheLastResort(_ text: String, _ kind: TLSFailure.Kind) {
        #expect(TLSFailure.Kind.words(text) == kind)
    }
}

struct PrintableTextTests {
    @Test(arguments: [
        ("a.test", "a.test"), ("Größe 漢字 ١", "Größe 漢字 ١"), ("", ""), (#"a\b"#, #"a\\b"#),
        ("\u{1B}[31m", #"\u{1b}[31m"#), ("a\r\nb", #"a\u{d}\u{a}b"#), ("\u{202E}x", #"\u{202e}x"#),
        ("e\u{301}", #"e\u{301}"#), ("🎈\u{0}", #"\u{1f388}\u{0}"#),
        ("\u{85}\u{2028}\u{FEFF}", #"\u{85}\u{2028}\u{feff}"#),
    ])
    func whatIsNotPlainIsEscaped(_ pair: (String, String)) {
        #expect(PrintableText.escape(pair.0) == pair.1)
    }

    @Test func longTextsAreCutOff() {
        #expect(PrintableText.escape("abcdef", limit: 6) == "abcdef")
        #expect(PrintableText.escape("abcdefg", limit: 6) == "abcdef…")
        #expect(PrintableText.escape("abc\u{0}", limit: 6) == "abc…")
        #expect(PrintableText.escape(String(repeating: "\u{0}", count: 1_000_000), limit: 10) == #"\u{0}\u{0}…"#)
    }
}
