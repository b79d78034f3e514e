import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore
@testable import PiuPiuValues

struct ErrorTextTests {
    @Test(
        arguments: [
            (.zero, "0 seconds"), (.nanoseconds(1), "1 millisecond"), (.milliseconds(250), "250 milliseconds"),
            (.seconds(1), "1 second"), (.seconds(5), "5 seconds"), (.seconds(5.4334118111747705), "5.43 seconds"),
            (.seconds(5.5), "5.5 seconds"), (.seconds(9.999), "10 seconds"), (.seconds(59.96), "60 seconds"),
            (.seconds(12.34), "12.3 seconds"), (.seconds(125.6), "126 seconds"), (.milliseconds(1050), "1.05 seconds"),
        ] as [(Duration, String)]
    )
    func durationsAreRounded(_ row: (Duration, String)) {
        #expect(ErrorText.text(row.0) == row.1)
    }

    @Test func aTimeoutNamesTheRequestTheTimeAndTheSetting() {
        var options = RequestOptions()
        options.timeouts.total = .seconds(5)
        let url = Fixture.url("https://u:p@example.com/a?token=1")
        var error = TransportError(.timeout(.total))
        error.complete(TransportRequest(URLRequest(url: url), options: options), options, elapsed: .milliseconds(5031))
        #expect(
            "\(error)"
                == "The call took too long (GET https://example.com/a, after 5.03 seconds; "
                + "configuration.timeouts.total is 5 seconds)"
        )
        var own = TransportError(.timeout(.total))
        own.complete(TransportRequest(URLRequest(url: url), options: options), RequestOptions(), elapsed: nil)
        #expect(own.limit?.setting == "options.timeouts.total" && own.limit?.duration == .seconds(5))
    }

    @Test func theIntervalOfARequestIsNamedAsItsOwn() {
        var request = URLRequest(url: Fixture.url)
        request.timeoutInterval = 7
        var options = RequestOptions()
        options.timeouts.idle = .seconds(7)
        let limit = TransportError.Limit(
            .timeout(.idle),
            of: TransportRequest(request, options: options),
            RequestOptions()
        )
        #expect("\(limit.map { "\($0)" } ?? "")" == "URLRequest.timeoutInterval is 7 seconds")
        #expect(TransportError.Limit(.tls, of: TransportRequest(request), RequestOptions()) == nil)
    }

    @Test func anErrorIsAnNSErrorWithoutSecrets() {
        let url = Fixture.url("https://u:p@example.com/a?token=1")
        let errors: [any Error] = [
            TransportError(.connectionLost, request: URLRequest(url: url)),
            TransferError(.unacceptableStatus, request: URLRequest(url: url)),
        ]
        for (error, name) in zip(errors, ["TransportError", "TransferError"]) {
            let bridged = error as NSError
            #expect(bridged.domain == "PiuPiuAsync.\(name)")
            #expect(bridged.code == (name == "TransportError" ? 8 : 1))
            #expect(bridged.localizedDescription == "\(error)")
            #expect(bridged.localizedFailureReason?.hasSuffix(".") == true)
            #expect(bridged.localizedRecoverySuggestion?.hasSuffix(".") == true)
            #expect(bridged.userInfo[NSURLErrorFailingURLErrorKey] as? URL == Fixture.url("https://example.com/a"))
            for secret in ["token", "u:p"] { #expect(!"\(bridged.userInfo)".contains(secret)) }
        }
    }

    @Test func noErrorPrintsTheNameOfItsCase() {
        #expect("\(ResponseError.noResponse)" == "There is no response.")
        #expect("\(HTTPError.clientError(.notFound))".hasPrefix("404 "))
        #expect("\(RequestPathError(.noBaseURL, "/a"))" == "A path needs a base URL (configuration.baseURL): \"/a\"")
    }

    // A code of a type of one's own.
    private struct Trouble: ErrorPattern {
        static let any = Trouble()

        func matches(_ error: any Error) -> Bool { true }
    }

    @Test func aCatchClauseCanNameCodesOfAllTypes() {
        func caught(_ error: any Error) -> String {
            do {
                throw error
            } catch StatusCode.notFound {
                return "404"
            } catch TransportError.Code.timeout(.idle) {
                return "idle"
            } catch TransferError.Code.noSpace {
                return "space"
            } catch AuthenticationError.Code.invalidToken {
                return "token"
            } catch Trouble.any {
                return "any"
            } catch {
                return "none"
            }
        }
        #expect(caught(HTTPError.clientError(.notFound)) == "404")
        #expect(caught(TransportError(.timeout(.idle))) == "idle" && caught(TransportError(.timeout(.head))) == "any")
        #expect(caught(TransferError(.noSpace)) == "space" && caught(AuthenticationError(.invalidToken)) == "token")
    }
}
