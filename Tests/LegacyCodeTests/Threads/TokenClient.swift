import Foundation
import PiuPiuFutures
import PiuPiuTesting

/// The token refresh of many apps: a plain class whose state belongs to the main thread, although nothing says so.
///
/// PiuPiu 1 called all its closures there.
final class TokenClient {
    var token: String?
    var refreshCount = 0
    var attempts = 0
    var served = 0
    var ended = 0
    var tokens: [String] = []
    var waiting: [ResponseFuture<String>] = []
    /// The tokens that the server accepts.
    var validTokens: Set<String> = []

    lazy var dispatcher = MockURLRequestDispatcher { [unowned self] request in
        let token = request.value(forHTTPHeaderField: "Authorization") ?? ""
        self.served += 1
        let status: StatusCode = self.validTokens.contains(token) ? .ok : .unauthorized
        return try Response.makeMockResponse(with: request, data: Data(token.utf8), statusCode: status)
    }

    private var url: URL { URL(string: "https://example.com/account") ?? URL(fileURLWithPath: "/") }

    /// Sends a request with a token, and once again with a new one if it is refused.
    func account() -> ResponseFuture<String> {
        attempt().replace(String.self) { response in
            if try response.makeHTTPResponse().statusCode == .unauthorized {
                let refused = try response.decodeString()
                if self.token == refused { self.token = nil }
                return self.attempt().thenResult(String.self) { result in
                    self.attempts += 1
                    return try result.get().decodeString()
                }
            }
            return ResponseFuture(result: try response.decodeString())
        }
    }

    private func attempt() -> ResponseFuture<Response<Data?>> {
        currentToken().replace(Response<Data?>.self) { token in
            self.dispatcher.dataFuture {
                self.attempts += 1
                var request = URLRequest(url: self.url, method: .get)
                request.setValue(token, forHTTPHeaderField: "Authorization")
                return request
            }
        }
    }

    private func currentToken() -> ResponseFuture<String> {
        ResponseFuture<String> { future in
            if let token = self.token {
                future.succeed(with: token)
                return
            }
            self.waiting.append(future)
            guard self.waiting.count == 1 else { return }
            self.refreshCount += 1
            let number = self.refreshCount
            ResponseFuture<String> { refresh in
                DispatchQueue.global().async { refresh.succeed(with: "token \(number)") }
            }
            .success { token in
                self.validTokens = [token]
                self.token = token
                let waiting = self.waiting
                self.waiting = []
                for future in waiting { future.succeed(with: token) }
            }
            .send()
        }
    }
}
