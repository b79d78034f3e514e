import PiuPiuAsync
import TestSupport
@testable import PiuPiuRecording
@testable import PiuPiuTesting

extension PlantedSecret {
    /// What a recorder writes, of an exchange and of one that failed.
    static func recordings() async throws -> [PlantedSecret] {
        let recorder = HARRecorder()
        let transport = MockTransport { request in
            guard request.path != "/fails" else { throw TransportError(.proxy, underlyingDescription: libraryTexts[1]) }
            let location: HTTPHeaderFields = ["Location": "http:/u:\(secret)@example.com/"]
            return MockAnswer(.ok, headers: responseFields + location, body: body)
        }
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [recorder],
            transport: transport
        )
        var request = request
        // A recording replaces secrets that have a name; a fragment has none.
        request.url = Fixture.url("https://user:\(secret)@example.com/a?token=\(secret)")
        _ = try await dispatcher.data(for: request)
        _ = try? await dispatcher.data(from: Fixture.url("https://user:\(secret)@example.com/fails"))
        let file = String(decoding: try recorder.har.data(), as: UTF8.self)
        return [
            PlantedSecret("HARRecorder, with exchanges", recorder),
            PlantedSecret("HARRecorder.har", recorder.har),
            PlantedSecret("HARRecorder.har.data()", file),
            PlantedSecret("MockTransport, with requests", transport),
            PlantedSecret("MockTransport.requests", transport.requests),
        ]
    }
}
