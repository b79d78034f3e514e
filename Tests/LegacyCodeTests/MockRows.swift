import Foundation
import PiuPiuFutures
import PiuPiuTesting
import Testing

class MockOwner {
    // Row: MockURLRequestDispatcher(delay:callback:), .delay, .callback
    let dispatcher = MockURLRequestDispatcher(
        delay: 0.001,
        callback: { request in
            if let id = request.integerValue(atIndex: 1, matching: [.constant("posts"), .wildcard(type: .integer)]) {
                return try Response.makeMockJSONResponse(
                    with: request,
                    encodable: Post(id: id, title: "Hello"),
                    statusCode: .ok
                )
            } else {
                throw ResponseError.noResponse
            }
        }
    )

    func beFast() {
        dispatcher.delay = 0
        dispatcher.callback = nil
    }

    // Row: MockURLRequestDispatcher.ResponseCallback
    func answer(with callback: @escaping MockURLRequestDispatcher.ResponseCallback) {
        dispatcher.callback = callback
    }

    func waiting(_ callback: @escaping MockURLRequestDispatcher.AsyncResponseCallback) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher(callback: callback)
    }

    // Row: dataFuture(from:), uploadFuture(from:with:) of MockURLRequestDispatcher
    func futures() -> [ResponseFuture<Response<Data?>>] {
        return [
            dispatcher.dataFuture(from: request()),
            dispatcher.uploadFuture(from: request("/posts/2", .post), with: Data("2".utf8)),
        ]
    }

    // Row: Response.makeMockJSONResponse(with:encodable:statusCode:headers:encoder:),
    // .makeMockResponse(with:jsonObject:options:statusCode:headers:)
    func json(_ request: URLRequest, _ encoder: JSONEncoder) throws -> [Response<Data?>] {
        return [
            try Response.makeMockJSONResponse(
                with: request,
                encodable: [1],
                statusCode: .ok,
                headers: ["X": "1"],
                encoder: encoder
            ),
            try Response.makeMockResponse(
                with: request,
                jsonObject: ["id": nil],
                options: .prettyPrinted,
                statusCode: .ok,
                headers: [:]
            ),
        ]
    }

    // Row: Response.makeMockResponse(with:jsonString:encoding:statusCode:headers:),
    // .makeMockResponse(with:data:statusCode:headers:)
    func others(_ request: URLRequest) throws -> [Response<Data?>] {
        return [
            try Response.makeMockResponse(
                with: request,
                jsonString: "{}",
                encoding: .utf8,
                statusCode: .ok,
                headers: ["X": "1"]
            ),
            try Response.makeMockResponse(with: request, data: nil, statusCode: .notFound, headers: ["X": "1"]),
            try Response.makeMockResponse(with: request, statusCode: .notFound),
        ]
    }
}

struct MockRowsTests {
    @Test func mockAnswers() async throws {
        let owner = MockOwner()
        for (index, future) in owner.futures().enumerated() {
            #expect(try await future.fetchResult().decode(Post.self).id == index + 1)
        }
        owner.answer { request in try owner.others(request)[1] }
        let response = try await owner.dispatcher.dataFuture(from: request()).fetchResult()
        #expect(try response.makeHTTPResponse().httpError == .clientError(.notFound))
        #expect(try owner.json(request(), JSONEncoder()).map { try $0.decodeString().isEmpty } == [false, false])
        let waiting = owner.waiting { request in try owner.others(request)[0] }
        #expect(try await waiting.dataFuture(from: request()).fetchResult().decodeString() == "{}")
        owner.beFast()
        #expect(owner.dispatcher.callback == nil)
    }
}
