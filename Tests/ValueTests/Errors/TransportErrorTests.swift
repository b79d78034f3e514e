import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct TransportErrorTests {
    private typealias Code = TransportError.Code

    private static let codes: [TransportError.Code] =
        [
            .invalidRequest, .invalidURL, .unsupportedScheme, .cannotResolveHost, .cannotConnect, .tls, .proxy,
            .connectionLost, .truncatedBody, .malformedHead, .malformedBody, .http2, .headTooLarge, .bodyTooLarge,
            .decompressionLimit, .tooManyRedirects, .redirectLoop, .unsafeRedirect, .invalidRedirect, .shutDown,
            .libraryUnavailable, .outOfResources, .unsupported, .forbiddenAddress,
        ] + TimeoutPhase.allCases.map { .timeout($0) }

    @Test func codesDiffer() {
        #expect(Set(Self.codes).count == Self.codes.count)
        #expect(Set(Self.codes.map(\.description)).count == Self.codes.count)
        #expect(Set(Self.codes.map(\.text)).count == Self.codes.count)
    }

    @Test(arguments: [
        (TransportError.Code.cannotConnect, "cannotConnect"), (.timeout(.idle), "timeout(idle)"),
        (.timeout(.total), "timeout(total)"), (.http2, "http2"), (.shutDown, "shutDown"),
    ])
    func codesHaveNames(_ pair: (TransportError.Code, String)) {
        #expect(pair.0.description == pair.1)
    }

    @Test func onlyTimeoutsHaveAPhase() {
        for phase in TimeoutPhase.allCases { #expect(Code.timeout(phase).timeoutPhase == phase) }
        #expect(Self.codes.filter { $0.timeoutPhase == nil }.count == Self.codes.count - TimeoutPhase.allCases.count)
    }

    @Test func aSwitchCanNameCodesAndPhases() {
        func text(_ code: TransportError.Code) -> String {
            switch code {
            case .tls: "tls"
            case .timeout(.connect), .timeout(.queue): "connecting"
            case let code where code.timeoutPhase != nil: "slow"
            default: "other"
            }
        }
        let codes: [TransportError.Code] = [.tls, .timeout(.queue), .timeout(.idle), .proxy]
        #expect(codes.map(text) == ["tls", "connecting", "slow", "other"])
    }

    @Test func codesAreSmall() {
        #expect(MemoryLayout<TransportError.Code>.size <= 2)
        #expect(_isPOD(TransportError.Code.self))
    }

    @Test func onlyWhatCertainlySentNothingIsSafeToRetry() {
        let safe: Set<Code> = [.cannotResolveHost, .cannotConnect, .proxy, .timeout(.queue), .timeout(.connect)]
        #expect(Set(Self.codes.filter { TransportError($0).isSafeToRetry }) == safe)
        #expect(TransportError(.connectionLost, isSafeToRetry: true).isSafeToRetry)
    }

    @Test func aCatchClauseCanNameACode() {
        func caught(_ error: any Error) -> String {
            do {
                throw error
            } catch TransportError.Code.timeout(.connect) {
                return "connect"
            } catch TransportError.Code.tls {
                return "tls"
            } catch {
                return "other"
            }
        }
        #expect(caught(TransportError(.timeout(.connect))) == "connect")
        #expect(caught(TransportError(.timeout(.idle))) == "other")
        #expect(caught(TransportError(.tls)) == "tls")
        #expect(caught(CancellationError()) == "other")
    }

    @Test(arguments: codes) func aCatchClauseCanNameSeveralCodes(_ code: TransportError.Code) {
        func caught(_ error: any Error) -> String {
            do {
                throw error
            } catch TransportError.Code.noConnection {
                return "no connection"
            } catch TransportError.Code.timeout {
                return "timeout"
            } catch {
                return "other"
            }
        }
        let unreachable: Set<Code> = [.cannotResolveHost, .cannotConnect, .tls, .proxy, .timeout(.connect)]
        let late = code.timeoutPhase == nil ? "other" : "timeout"
        #expect(caught(TransportError(code)) == (unreachable.contains(code) ? "no connection" : late))
        #expect(TransportError.Code.timeout.contains(code) == (code.timeoutPhase != nil))
        #expect(caught(TransferError(.noSpace)) == "other" && caught(CancellationError()) == "other")
        let names = [TransportError.Code.timeout, TransportError.Code.noConnection].map(\.description)
        #expect(names == ["timeout", "noConnection"])
    }

    @Test func theDescriptionIsOneSentence() {
        #expect("\(TransportError(.shutDown))" == "The dispatcher or its transport was already shut down")
        var request = URLRequest(url: Fixture.url("https://u:p@example.com:8443/a?token=secret#secret"), method: .put)
        request.httpBody = Data("x".utf8)
        let error = TransportError(.tls, request: request, underlyingDescription: "SSL: no")
        #expect("\(error)" == "The TLS handshake failed (PUT https://example.com:8443/a): SSL: no")
        #expect(error.localizedDescription == "\(error)")
        #expect(String(reflecting: error) == "TransportError.tls: \(error)")
        #expect("\(TransportError(.tls, reason: "because"))" == "because")
    }

    // Its body may be large.
    @Test func theHeadOfAnErrorDoesNotKeepTheRequest() {
        var request = Fixture.request
        request.httpBody = Data("large".utf8)
        let head = HTTPResponse(data: 1, urlRequest: request, head: Fixture.head(.ok)).head
        #expect(head.record.values.urlRequest != nil)
        let errors = [
            TransportError(.truncatedBody, request: request, response: head).response,
            TransferError(.unacceptableStatus, response: head).response,
            UnacceptableResponseError(.statusCode, request: request, response: head).response,
        ]
        #expect(errors.map { $0?.record.values.urlRequest } == [nil, nil, nil])
    }

    @Test func noTextHoldsASecret() {
        var request = URLRequest(url: Fixture.url("https://user:hunter2@example.com/?q=hunter2#hunter2"), method: .post)
        for name in ["Authorization", "cookie", "Proxy-Authorization", "X-API-KEY"] {
            request.setValue("hunter2", forHTTPHeaderField: name)
        }
        request.httpBody = Data("hunter2".utf8)
        let head = Fixture.head(.found, headers: ["Set-Cookie": "id=hunter2", "Location": "/"])
        for code in Self.codes {
            let error = TransportError(code, request: request, response: head, sensitiveHeaders: ["x-api-key"])
            #expect(!Fixture.allTexts(of: error).contains("hunter2"))
            #expect(!Fixture.allTexts(of: error as any Error).contains("hunter2"))
            #expect(!Fixture.allTexts(of: Result<Int, TransportError>.failure(error)).contains("hunter2"))
            #expect(!error.localizedDescription.contains("hunter2"))
            #expect(!(error as NSError).description.contains("hunter2"))
            #expect(error.request?.allHTTPHeaderFields?.values.allSatisfy { $0 == "<redacted>" } == true)
            #expect(error.request?.httpBody == nil)
            #expect(error.request?.url?.user == nil)
            #expect(error.response?.statusCode == .found)
        }
    }
}
