#if os(Linux)
import Foundation
import PiuPiuAsync
import PiuPiuEngine
import Testing

@testable import PiuPiuSockets

/// What the engine's reports become, and the settings that it is given.
struct TLSReportTests {
    private func report(_ check: TLSReport.Check = .none, _ change: (inout TLSReport) -> Void = { _ in }) -> TLSReport {
        var report = TLSReport(check, "")
        change(&report)
        return report
    }

    @Test func kinds() {
        let checks: [(TLSReport.Check, TLSFailure.Kind)] = [
            (.name, .other), (.pin, .pinMismatch), (.status(revoked: true), .statusRevoked),
            (.status(revoked: false), .statusMissing), (.identity, .clientIdentityUnusable),
            (.authorities, .authoritiesUnusable), (.ciphers, .noCommonCipher), (.library, .other), (.none, .other),
        ]
        for (check, kind) in checks { #expect(report(check).kind == kind) }
        let results: [(Int, TLSFailure.Kind)] = [
            (10, .expired), (62, .wrongHost), (20, .unknownAuthority), (23, .revoked),
        ]
        for (verification, kind) in results {
            #expect(report { $0.verification = verification }.kind == kind)
        }
        #expect(report { $0.reason = 267 }.kind == .notTLS)
        #expect(report { ($0.alert, $0.asksForCertificate) = (116, true) }.kind == .clientCertificateRequired)
        let refused = report { ($0.alert, $0.asksForCertificate, $0.hasCertificate) = (48, true, true) }
        #expect(refused.kind == .clientCertificateRefused)
        #expect(report { $0.alert = 70 }.kind == .protocolVersion)
        #expect(report { $0.alert = 116 }.isAboutOurCertificate && !report { $0.alert = 80 }.isAboutOurCertificate)
    }

    @Test func depthsAndCutOffs() {
        #expect(TLSFailure(report { ($0.verification, $0.depth) = (10, 1) }, host: "a").depth == 1)
        #expect(TLSFailure(report { ($0.verification, $0.depth) = (62, 0) }, host: "a").depth == nil)
        #expect(TLSFailure(ChannelFailure.cutOff, host: "a").kind == .connectionLost)
        #expect(TLSFailure(ChannelFailure.system(104), host: "a\u{1B}").host == #"a\u{1b}"#)
    }

    @Test func systemAuthorities() throws {
        let settings = try TLSSettings(TLSConfiguration(), authorityFile: nil, pins: [])
        #expect(!settings.authorities.files.isEmpty || !settings.authorities.folders.isEmpty)
        #expect(settings.authorities.lifetime == 600_000_000_000)
        let chosen = try TLSSettings(TLSConfiguration(), authorityFile: URL(filePath: "/does/not/exist"), pins: [])
        #expect(chosen.authorities.files == ["/does/not/exist"] && chosen.authorities.folders.isEmpty)
        #expect(try TLSSettings(.insecurelyWithoutVerification, authorityFile: nil, pins: []).authorities.files.isEmpty)
    }

    @Test func refusedSettings() throws {
        func reason(_ change: (inout TLSConfiguration) -> Void) -> String {
            var configuration = TLSConfiguration()
            change(&configuration)
            let error = #expect(throws: TransportError.self) {
                try TLSSettings(configuration, authorityFile: nil, pins: [])
            }
            #expect(error?.code == .unsupported)
            return error?.reason ?? ""
        }
        let missing = URL(filePath: "/does/not/exist")
        #expect(reason { $0.authorities = .file(missing) }.contains("cannot be read"))
        #expect(reason { $0.authorities = .folder(missing) }.contains("cannot be read"))
        #expect(reason { $0.authorities = .certificates(Data()) }.contains("no certificate"))
        #expect(reason { $0.authorities = .system(adding: Data("x".utf8)) }.contains("no certificate"))
        #expect(reason { $0.authorities = .system(adding: missing) }.contains("cannot be read"))
        #expect(reason { $0.identity = .pkcs12(Data("x".utf8)) }.contains("not PKCS#12"))
        #expect(reason { $0.identity = .pem(certificates: Data("x".utf8)) }.contains("no certificate"))
        #expect(reason { $0.identity = .pem(certificates: missing) }.contains("cannot be read"))
        #expect(reason { $0.revocationLists = missing }.contains("cannot be read"))
    }
}
#endif
