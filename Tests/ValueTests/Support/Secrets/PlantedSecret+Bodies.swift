@testable import PiuPiuAsync

extension PlantedSecret {
    static var bodies: [PlantedSecret] {
        var form = MultipartFormData()
        form.append(secret, name: "password")
        let source = ResponseBody(body)
        let transfer = Transfer<Data?>(.receiving) { _ in response }
        let events = ReconnectingServerSentEvents(ServerSentEventReconnection()) { _ in
            .events(.init(ResponseBody(body)))
        }
        return [
            PlantedSecret("RequestBody.data", RequestBody.data(body)),
            PlantedSecret("RequestBody.multipart", RequestBody.multipart(form)),
            PlantedSecret("MultipartFormData.Value", MultipartFormData.Value.text(secret)),
            PlantedSecret("MultipartFormData.Value.file", MultipartFormData.Value.file(URL(filePath: secret))),
            PlantedSecret("RequestBody.stream", RequestBody.stream(chunks)),
            PlantedSecret("MultipartFormData", form),
            PlantedSecret("ResponseBody", source),
            PlantedSecret("ResponseBody.AsyncIterator", source.makeAsyncIterator()),
            PlantedSecret("LineSequence", source.lines),
            PlantedSecret("LineSequence.AsyncIterator", source.lines.makeAsyncIterator()),
            PlantedSecret("JSONLineSequence", source.jsonLines(of: [String: String].self)),
            PlantedSecret(
                "JSONLineSequence.AsyncIterator",
                source.jsonLines(of: [String: String].self).makeAsyncIterator()
            ),
            PlantedSecret("ServerSentEventSequence", source.serverSentEvents),
            PlantedSecret("ServerSentEventSequence.AsyncIterator", source.serverSentEvents.makeAsyncIterator()),
            PlantedSecret("ReconnectingServerSentEvents", events),
            PlantedSecret("ReconnectingServerSentEvents.AsyncIterator", events.makeAsyncIterator()),
            PlantedSecret("Transfer", transfer),
            PlantedSecret("Transfer.AsyncIterator", transfer.makeAsyncIterator()),
            PlantedSecret("TransferEvent.finished", TransferEvent.finished(response)),
            PlantedSecret("Locked", Locked(secret)),
        ]
    }

    /// Iterators that have read a part of what they hold.
    static func startedIterators() async throws -> [PlantedSecret] {
        let text = Data("first\n\(secret)\nlast \(secret)".utf8)
        var lines = ResponseBody(text).lines.makeAsyncIterator()
        _ = try await lines.next()
        let json = Data("{\"a\":\"b\"}\n{\"a\":\"\(secret)\"}\n".utf8)
        var rows = ResponseBody(json).jsonLines(of: [String: String].self).makeAsyncIterator()
        _ = try await rows.next()
        let stream = Data("data: first\n\ndata: \(secret)\n\ndata: \(secret)".utf8)
        var events = ResponseBody(stream).serverSentEvents.makeAsyncIterator()
        _ = try await events.next()
        return [
            PlantedSecret("LineSequence.AsyncIterator, started", lines),
            PlantedSecret("JSONLineSequence.AsyncIterator, started", rows),
            PlantedSecret("ServerSentEventSequence.AsyncIterator, started", events),
        ]
    }
}
