import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuExchange
@testable import PiuPiuURLSession

struct ExchangeFailureTests {
    private func error(_ code: Int, _ text: String) -> URLError {
        let userInfo = [NSLocalizedDescriptionKey: text]
        return URLError(_nsError: NSError(domain: NSURLErrorDomain, code: code, userInfo: userInfo))
    }

    // libcurl's texts as Foundation on Linux passes them on.
    @Test(arguments: [
        (-1003, "Could not resolve host: nowhere.invalid", "nothing", TransportError.Code.cannotResolveHost),
        (-1004, "Failed to connect to 127.0.0.1 port 1 after 0 ms", "nothing", .cannotConnect),
        (-1005, "Recv failure: Connection reset by peer", "nothing", .connectionLost),
        (-1005, "Recv failure: Connection reset by peer", "head", .truncatedBody),
        (-1011, "Empty reply from server", "nothing", .connectionLost),
        (-1002, "Received HTTP/0.9 when not allowed", "nothing", .malformedHead), (-1000, "", "nothing", .unsupported),
        (-1, "transfer closed with 3 bytes remaining to read", "head", .truncatedBody),
        (-1, "transfer closed with outstanding read data remaining", "head", .truncatedBody),
        (-1, "Illegal or missing hexadecimal sequence in chunked-encoding", "head", .malformedBody),
        (-1, "Error while processing content unencoding: incorrect header check", "head", .malformedBody),
        (-1, "Unrecognized content encoding type.", "head", .malformedBody),
        (-1, "Failed writing header", "nothing", .malformedHead),
        (-1, "Header without colon", "nothing", .malformedHead),
        (-1, "Invalid Content-Length: value", "nothing", .malformedHead),
        (-1, "Too large response headers: 307652 > 307200", "nothing", .headTooLarge),
        (-1, "SSL certificate problem: self-signed certificate", "nothing", .tls),
        (-1, "something new", "sent", .connectionLost), (-1, "something new", "head", .truncatedBody),
    ])
    func eachFailureHasItsCode(_ code: Int, _ text: String, _ progress: String, _ expected: TransportError.Code) {
        let progress: ExchangeFailure.Progress = progress == "head" ? .head : progress == "sent" ? .sent : .nothing
        let failure = ExchangeFailure(error(code, text), after: progress)
        #expect(failure.code == expected)
        #expect(failure.underlyingDescription == text)
    }

    @Test(
        arguments: [
            (.serverCertificateHasBadDate, .expired), (.serverCertificateNotYetValid, .notYetValid),
            (.serverCertificateHasUnknownRoot, .unknownAuthority), (.serverCertificateUntrusted, .unknownAuthority),
            (.clientCertificateRequired, .clientCertificateRequired),
            (.clientCertificateRejected, .clientCertificateRefused), (.secureConnectionFailed, .other),
        ] as [(URLError.Code, TLSFailure.Kind)]
    )
    func failuresOfTLSHaveKinds(_ code: URLError.Code, _ kind: TLSFailure.Kind) throws {
        let failure = ExchangeFailure(error(code.rawValue, "An error occurred"), after: .nothing)
        #expect(failure.code == .tls && failure.tlsFailure?.kind == kind)
        let thrown = failure.error(for: TransportRequest(URLRequest(url: Fixture.url)))
        let error = try #require(thrown as? TransportError)
        #expect(error.tlsFailure?.kind == kind && error.reason == failure.tlsFailure?.description)
        #expect(error.recoverySuggestion != nil && !error.isSafeToRetry)
    }

    @Test func whatTheLibraryQuotesIsSafeToPrint() throws {
        let request = TransportRequest(URLRequest(url: Fixture.url))
        for (code, text, shown) in [
            (
                TransportError.Code.malformedBody, "Unsolicited Transfer-Encoding (\u{1B}[31m\n) found",
                #"Unsolicited Transfer-Encoding (\u{1b}[31m\u{a}) found"#
            ),
            (.http2, "name: [a\nb], value: [hunter2\n]", #"name: [a\u{a}b], value: [<redacted>]"#),
            (.tls, "subject name '\u{1B}[31m' does not match", #"subject name '\u{1b}[31m' does not match"#),
            (.proxy, "cannot use http://user:hunter2\\\u{E9}@proxy", "cannot use proxy"),
        ] {
            let failure = ExchangeFailure(code, underlyingDescription: text)
            let error = try #require(failure.error(for: request) as? TransportError)
            #expect(error.underlyingDescription == shown)
            #expect(!"\(error)".unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test func aTextAboutACertificateHasAKind() {
        let failure = ExchangeFailure(
            error(-1, "SSL: certificate subject name '\u{1B}[31m' does not match"),
            after: .nothing
        )
        #expect(failure.tlsFailure?.kind == .other)
        let expired = ExchangeFailure(error(-1, "SSL certificate problem: certificate has expired"), after: .nothing)
        #expect(expired.tlsFailure?.kind == .expired)
    }

    @Test func whatMayHaveBeenSentIsNotSafeToRetry() {
        for code in [URLError.Code.cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet] {
            let text = "Failed to connect to 127.0.0.1"
            #expect(ExchangeFailure(error(code.rawValue, text), after: .nothing).code.meansNothingWasSent)
            #expect(ExchangeFailure(error(code.rawValue, text), after: .sent).code == .connectionLost)
            #expect(ExchangeFailure(error(code.rawValue, text), after: .head).code == .truncatedBody)
        }
    }

    #if os(Linux)
    // Foundation says so of any failure on a host of which one address had refused before.
    @Test func aRefusalIsBelievedOnlyWithItsText() {
        let failure = ExchangeFailure(
            error(URLError.Code.cannotConnectToHost.rawValue, "Empty reply from server"),
            after: .nothing
        )
        #expect(failure.code == .connectionLost)
    }
    #endif

    @Test func theCallersOwnFailureGoesBeforeAllElse() {
        var failure = ExchangeFailure(.invalidRequest)
        failure.cause = TransferError(.bodyTooLarge)
        let request = TransportRequest(URLRequest(url: Fixture.url))
        #expect((failure.error(for: request) as? TransferError)?.code == .bodyTooLarge)
        failure.cause = nil
        #expect((failure.error(for: request) as? TransportError)?.code == .invalidRequest)
    }
}
