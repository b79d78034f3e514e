import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of the article on failures of TLS, and of the comments on them.
struct TLSFailureSamplesTests {
    private let request = URLRequest(url: Fixture.url("https://example.com/posts"))

    private func dispatcher(_ kind: TLSFailure.Kind) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher { request in
            var error = TransportError(.tls, reason: "\(TLSFailure(kind))", request: request)
            error.tlsFailure = TLSFailure(kind)
            throw error
        }
    }

    private func article(_ kind: TLSFailure.Kind) async throws -> [String] {
        let print = Printed()
        let dispatcher = dispatcher(kind)
        do {
            let response = try await dispatcher.data(for: request)
            print(response)
        } catch TLSFailure.Kind.expired {
            print("The server's certificate has expired.")
        } catch let error as TransportError where error.tlsFailure != nil {
            print(error.reason)
            print(error.recoverySuggestion ?? "")
        }
        return print.lines
    }

    private func comment(_ kind: TLSFailure.Kind) async throws -> [String] {
        let print = Printed()
        let dispatcher = dispatcher(kind)
        do {
            let response = try await dispatcher.data(for: request)
            print(response)
        } catch TLSFailure.Kind.expired {
            print("The server's certificate has expired.")
        } catch let error as TransportError where error.tlsFailure != nil {
            print(error.reason, error.recoverySuggestion ?? "")
        }
        return print.lines
    }

    @Test func failures() async throws {
        #expect(try await article(.expired) == ["The server's certificate has expired."])
        let reason = "The server's key is not the pinned one"
        let suggestion = TLSFailure(.pinMismatch).recoverySuggestion
        #expect(try await article(.pinMismatch) == [reason, suggestion])
        #expect(try await comment(.pinMismatch) == ["\(reason) \(suggestion)"])
    }

    @Test("The table of the article has every kind")
    func kinds() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        let article = root.appending(path: "Sources/PiuPiuAsync/PiuPiuAsync.docc/TLSFailures.md")
        let text = String(decoding: try Data(contentsOf: article), as: UTF8.self)
        for kind in TLSFailure.Kind.all { #expect(text.contains("`\(kind)`"), "\(kind) is missing") }
    }
}
