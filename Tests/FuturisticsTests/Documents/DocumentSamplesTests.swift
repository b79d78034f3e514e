// swift-format-ignore-file: NeverForceUnwrap

import Futuristics
import TestSupport
import Testing

// The samples of the README of Futuristics 0.2.2, in their order. They are written in Swift 2.1; Blocks.md says what was
// changed in each, so that it compiles today. Everything else stands as printed.

/// The samples of "Asynchronous Code Without Futures" and "Futures To The Rescue".
final class RescueSamples: Screen {
    // Block 1
    func withoutFutures() {
        let client = NetworkClient()
        let request = URLRequest(url: URL(string: "http://foo.com/bar")!)
        client.exectueRequest(request) { response, error in
            if error == nil {
                DispatchQueue.global(qos: .default).async {
                    do {
                        let json = try self.jsonFromResponse(response)
                        let name = try self.extractNameFromJSON(json)
                        DispatchQueue.main.async {
                            self.updateUIWithName(name)
                        }
                    } catch let error {
                        DispatchQueue.main.async {
                            self.displayError(error)
                        }
                    }
                }
            } else {
                DispatchQueue.main.async {
                    self.displayError(error!)
                }
            }
        }
    }

    // Block 2
    func withFutures(path: String) {
        let client = NetworkClient()
        let request = URLRequest(url: URL(string: "http://foo.com/\(path)")!)

        let requestAndParse =
            client.exectueRequest >>> onBackgroundQueue(self.jsonFromResponse >>> self.extractNameFromJSON)
        requestAndParse(request).onSuccess(onMainQueue) { name in
            self.updateUIWithName(name)
        }.onFailure(onMainQueue) { error in
            self.displayError(error)
        }
    }

    // Block 4
    func completionHandlers() {
        let request = URLRequest(url: URL(string: "http://foo.com/bar")!)
        let client = NetworkClient()
        let requestAndParse = client.exectueRequest >>> jsonFromResponse >>> extractNameFromJSON

        self.showLoadingUI()

        requestAndParse(request).onSuccess { name in
            self.displayName(name)
        }.onFailure { error in
            self.displayError(error)
        }.finally {
            self.hideLoadingUI()
        }
    }
}

/// The sample of "Asynchronous Functions", with both of its ends.
final class AsynchronousFunctionSamples {
    let error = Failure(number: 3)
    let response = URLResponse(
        url: Fixture.url,
        mimeType: nil,
        expectedContentLength: 0,
        textEncodingName: nil
    )
    var fails = false

    // Block 3
    func exectueRequest(request: URLRequest) -> Future<URLResponse> {
        // Create a promise
        let promise = Promise<URLResponse>()
        // asynchronous code block start
        DispatchQueue.global().async {
            if self.fails {
                // If operation fails
                promise.reject(self.error)
            } else {
                // OR

                // If operation succeeds
                promise.fulfill(self.response)
            }
        }
        // asynchronous code block end

        return promise.future
    }
}

/// The sample of "Composing Asynchronous Functions".
final class CompositionSamples {
    let println = Journal()

    // Block 5
    func exectueRequest(request: URLRequest) -> Future<URLResponse> {
        Promise<URLResponse>().fulfill(
            URLResponse(url: request.url!, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        )
    }
    func parseResponse(response: URLResponse) -> Future<String> {
        Promise<String>().fulfill(response.url!.lastPathComponent)
    }

    func compose() {
        let request = URLRequest(url: URL(string: "http://foo.com/bar")!)
        let requestAndParse = exectueRequest >>> parseResponse
        requestAndParse(request).onSuccess { text in
            self.println(text)
        }
    }
}

/// The samples of "Make Synchronous Functions Asynchronous" and "Error Handling".
final class SynchronousSamples {
    let println = Journal()

    // Block 6
    func makeAsynchronous() -> Future<String> {
        func parseResponseSynch(response: URLResponse) -> String { isOnMainQueue ? "main" : "background" }
        let parseResponseOnBackground = onBackgroundQueue(parseResponseSynch)

        return parseResponseOnBackground(
            URLResponse(url: Fixture.url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        )
    }

    // Block 7
    enum ParserError: Error {
        case InvalidJSON
        // ...
    }

    func parseResponseSynch(response: URLResponse) throws -> String {
        throw ParserError.InvalidJSON
    }

    func handleErrors(_ response: URLResponse) {
        let parseResponseOnBackground = onBackgroundQueue(parseResponseSynch)

        parseResponseOnBackground(response).onFailure { error in
            self.println("Will always fail with ParserError.InvalidJSON")
            self.println(error)
        }
    }
}

@Suite(.timeLimit(.generous)) struct DocumentSamplesTests {
    @Test func codeWithoutFuturesRuns() async {
        let samples = RescueSamples()
        samples.withoutFutures()
        #expect(await samples.journal.entries(1) == ["name Ada true"])
    }

    @Test func futuresComeToTheRescue() async {
        let samples = RescueSamples()
        samples.withFutures(path: "bar")
        #expect(await samples.journal.entries(1) == ["name Ada true"])
        samples.withFutures(path: "broken")
        #expect(await samples.journal.entries(2) == ["name Ada true", "error true"])
    }

    @Test func anAsynchronousFunctionFulfillsOrRejects() async throws {
        let samples = AsynchronousFunctionSamples()
        let request = URLRequest(url: Fixture.url)
        #expect(try await samples.exectueRequest(request: request).value === samples.response)
        samples.fails = true
        await #expect(throws: Failure(number: 3)) { try await samples.exectueRequest(request: request).value }
    }

    @Test func completionHandlersRun() async {
        let samples = RescueSamples()
        samples.completionHandlers()
        #expect(await samples.journal.entries(3) == ["loading", "name Ada true", "loaded true"])
    }

    @Test func asynchronousFunctionsAreComposed() async {
        let samples = CompositionSamples()
        samples.compose()
        #expect(await samples.println.entries(1) == ["bar"])
    }

    @Test func aSynchronousFunctionBecomesAsynchronous() async throws {
        #expect(try await SynchronousSamples().makeAsynchronous().value == "background")
    }

    @Test func anErrorThatIsThrownRejects() async {
        let samples = SynchronousSamples()
        samples.handleErrors(
            URLResponse(url: Fixture.url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        )
        #expect(
            await samples.println.entries(2) == ["Will always fail with ParserError.InvalidJSON", "InvalidJSON"]
        )
    }

    // The signatures that the document has in its text, in code spans.
    @Test func theSignaturesInTheTextAreThoseOfTheModule() {
        func check<A, B, C>(_ a: A, _ b: B, _ c: C) where A: Sendable, B: Sendable, C: Sendable {
            let future = Promise<A>().future
            let onSuccess: (@escaping (A) -> Void) -> Future<A> = { future.onSuccess(successHandler: $0) }
            let onFailure: (@escaping (Error) -> Void) -> Future<A> = { future.onFailure(failureHandler: $0) }
            let finally: (@escaping () -> Void) -> Future<A> = { future.finally(handler: $0) }
            let first: (A) -> Future<B> = { _ in Promise<B>().future }
            let second: (B) -> Future<C> = { _ in Promise<C>().future }
            let composed: (A) -> Future<C> = first >>> second
            let synchronous: (A) throws -> B = { _ in b }
            let asynchronous: (A) -> Future<B> = onBackgroundQueue(synchronous)
            func context(_ closure: @escaping (A) throws -> B) -> (A) -> Future<B> {
                { input in Promise<B>().resolve { try closure(input) } }
            }
            future.onSuccess(onQueue(.global())) { _ in }
            _ = (onSuccess, onFailure, finally, composed, asynchronous, context)
        }
        check(1, "", 2.0)
    }
}
