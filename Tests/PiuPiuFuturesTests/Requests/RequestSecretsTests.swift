import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

struct RequestSecretsTests {
    private static var request: BasicRequest {
        let secret = SecretSearch.secret
        var request = BasicRequest(
            method: .post,
            path: "/posts",
            queryItems: [URLQueryItem(name: "token", value: secret)],
            headers: ["Authorization": "Bearer \(secret)", "X-Api-Key": secret]
        )
        request.setHTTPBody(string: secret)
        return request
    }

    @Test func nothingShowsThePlantedSecret() {
        let dispatcher = MockURLRequestDispatcher { _ in throw ResponseError.noResponse }
        let provider = Provider(URL(string: "https://user:\(SecretSearch.secret)@example.com"))
        let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: provider)
        let kinds: [Any] = [
            Self.request, [Self.request], serializer, serializer.dataFuture(from: Self.request),
            ResponseFuture(result: SecretSearch.secret),
        ]
        for kind in kinds {
            for showing in SecretSearch.showings(of: kind) {
                #expect(!showing.tells, "\(type(of: kind)), by \(showing.way): \(showing.text.prefix(300))")
            }
        }
        #expect("\(Self.request)".contains("/posts"))
    }
}
