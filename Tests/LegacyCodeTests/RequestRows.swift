import Foundation
import PiuPiuFutures
import Testing

class RequestMaker {
    // Row: HTTPMethod, .options, .get, .head, .post, .put, .patch, .delete, .trace, .connect, .rawValue
    let methods: [HTTPMethod] = [.options, .get, .head, .post, .put, .patch, .delete, .trace, .connect]

    func hasBody(_ method: HTTPMethod) -> Bool {
        switch method {
        case .post, .put, .patch: return true
        default: return method.rawValue == "DELETE"
        }
    }

    // Row: HTTPMethod(rawValue:)
    func method(_ name: String) -> HTTPMethod {
        return HTTPMethod(rawValue: name)
    }

    // Row: URLRequest(url:method:)
    func make(_ url: URL) -> URLRequest {
        return URLRequest(url: url, method: .post)
    }

    // Row: setJSONBody(encodable:encoder:), setJSONBody(_:encoder:), setJSONBody(string:encoding:),
    // setJSONBody(jsonObject:options:), setJSONBody(jsonArray:options:) of URLRequest and BasicRequest
    func json(_ post: Post, _ encoder: JSONEncoder) throws {
        var request = make(baseURL)
        try request.setJSONBody(encodable: post)
        try request.setJSONBody(encodable: post, encoder: encoder)
        try request.setJSONBody(post)
        try request.setJSONBody(post, encoder: encoder)
        request.setJSONBody(string: "{}", encoding: .utf8)
        try request.setJSONBody(jsonObject: ["title": nil], options: [])
        try request.setJSONBody(jsonArray: [["title": "Hello"]], options: .prettyPrinted)
        var basic = BasicRequest(method: .post, path: "/posts")
        try basic.setJSONBody(encodable: post)
        try basic.setJSONBody(encodable: post, encoder: encoder)
        try basic.setJSONBody(post)
        try basic.setJSONBody(post, encoder: encoder)
        basic.setJSONBody(string: "{}", encoding: .utf8)
        try basic.setJSONBody(jsonObject: ["title": nil], options: [])
        try basic.setJSONBody(jsonArray: [["title": "Hello"]], options: .prettyPrinted)
    }

    // Row: setHTTPBody(string:encoding:), setHTTPBody(jsonObject:options:), setHTTPBody(jsonArray:options:) of URLRequest
    // and BasicRequest
    func text() throws {
        var request = make(baseURL)
        request.setHTTPBody(string: "a=b", encoding: .ascii)
        try request.setHTTPBody(jsonObject: ["title": "Hello"], options: .prettyPrinted)
        try request.setHTTPBody(jsonArray: [["title": nil]], options: [])
        var basic = BasicRequest(method: .post, path: "/posts")
        basic.setHTTPBody(string: "a=b", encoding: .ascii)
        try basic.setHTTPBody(jsonObject: ["title": "Hello"], options: .prettyPrinted)
        try basic.setHTTPBody(jsonArray: [["title": nil]], options: [])
    }

    // Row: ensureJSONContentType() of URLRequest and BasicRequest
    func type() {
        var request = make(baseURL)
        request.ensureJSONContentType()
        var basic = BasicRequest(method: .post, path: "/posts")
        basic.ensureJSONContentType()
    }

    // Row: setJSONBody(encodable:dateEncodingStrategy:), setJSONBody(_:dateEncodingStrategy:) of BasicRequest
    func dates(_ date: Date) throws -> BasicRequest {
        var request = BasicRequest(method: .post, path: "/dates")
        try request.setJSONBody(encodable: [date], dateEncodingStrategy: .iso8601)
        try request.setJSONBody([date], dateEncodingStrategy: .rfc3339)
        return request
    }

    // Row: BasicRequest(method:path:queryItems:headers:)
    let basic = BasicRequest(
        method: .get,
        path: "/posts",
        queryItems: [URLQueryItem(name: "page", value: "1")],
        headers: ["X": "1"]
    )

    // Row: method, path, queryItems, headers, httpBody of BasicRequest
    func changed() -> BasicRequest {
        var request = basic
        request.method = .delete
        request.path += "/1"
        request.queryItems.append(URLQueryItem(name: "all", value: nil))
        request.headers["Y"] = "2"
        request.httpBody = nil
        return request
    }

    // Row: BasicRequest.url(withBaseURL:), .urlRequest(withBaseURL:)
    func urls() throws -> [URL?] {
        return [try basic.url(withBaseURL: baseURL), try basic.urlRequest(withBaseURL: baseURL).url]
    }
}

// Row: Request, .urlRequest(withBaseURL:)
struct PostRequest: Request {
    let id: Int

    func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest {
        return URLRequest(url: baseURL.appendingPathComponent("posts/\(id)"), method: .get)
    }
}

// Row: ServerProvider, .baseURL
final class Settings: ServerProvider {
    let host = "example.com"

    var baseURL: URL? {
        return URL(string: "https://\(host)")
    }
}

class SerializerUser {
    let settings = Settings()

    // Row: RequestSerializer(dispatcher:serverProvider:), .dispatcher, .serverProvider
    lazy var serializer = RequestSerializer(dispatcher: server, serverProvider: settings)

    func replace(_ dispatcher: DataDispatcher) {
        serializer.dispatcher = dispatcher
        serializer.serverProvider = settings
    }

    // Row: .dataFuture(from:), .dataFuture(from: { … }) of RequestSerializer
    func futures() -> [ResponseFuture<Response<Data?>>] {
        return [
            serializer.dataFuture(from: PostRequest(id: 1)),
            serializer.dataFuture(from: BasicRequest(method: .get, path: "/posts/1")),
            serializer.dataFuture {
                return PostRequest(id: 1)
            },
            serializer.dataFuture(from: { BasicRequest(method: .get, path: "/posts/1") }),
        ]
    }
}

struct RequestRowsTests {
    @Test func requestsAreMade() throws {
        let maker = RequestMaker()
        #expect(maker.methods.count == 9 && maker.hasBody(.put) && maker.method("PROPFIND") != .get)
        try maker.json(Post(id: 1, title: "Hello"), JSONEncoder())
        try maker.text()
        maker.type()
        #expect(try maker.urls().allSatisfy { $0?.absoluteString == "https://example.com/posts?page=1" })
        #expect(try maker.changed().url(withBaseURL: baseURL).absoluteString.hasSuffix("/posts/1?page=1&all"))
        #expect(try maker.dates(.distantPast).headers["Content-Type"] == "application/json")
    }

    @Test func serializersSend() async throws {
        let user = SerializerUser()
        user.replace(server)
        for future in user.futures() {
            #expect(try await future.decoded(Post.self).fetchResult().data.id == 1)
        }
    }
}
