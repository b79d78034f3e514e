import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

struct PeerSecretsTests {
    @Test func nothingShowsThePlantedSecret() throws {
        let secret = SecretSearch.secret
        let headers: HTTPHeaderFields = ["Authorization": secret]
        let body = Data(secret.utf8)
        let kinds: [Any] = [
            PeerRequest(method: "GET", target: "/?token=\(secret)", headers: headers, body: body),
            PeerStep.head(200, ["Set-Cookie": secret]), PeerStep.body(body), PeerStep.repeated(body, count: 2),
            [PeerStep].response(body: secret), try LoopbackPeer(),
        ]
        for kind in kinds {
            for showing in SecretSearch.showings(of: kind) {
                #expect(!showing.tells, "\(type(of: kind)), by \(showing.way): \(showing.text.prefix(300))")
            }
        }
    }
}
