/// Decodes chunks of bytes into server-sent events.
///
/// The rules are those of the
/// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation). An
/// empty line completes an event; an event that is incomplete when the bytes end is discarded, as the standard
/// requires.
struct ServerSentEventDecoder: ChunkDecoder {
    /// The identifier of the last complete event, to be sent when reconnecting; empty without one.
    private(set) var lastEventID = ""
    /// The time to wait before reconnecting; `nil` if the server did not send one.
    private(set) var reconnectionTime: Duration?

    private let limit: Int
    private var splitter = LineSplitter(.any)
    private var isFirstLine = true
    private var data: [UInt8] = []
    private var type: [UInt8] = []
    private var id = ""
    private var retry: Duration?

    /// Creates a decoder; `limit` is for the pending bytes of an event: its text, its type and the arriving line.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    mutating func append(_ chunk: Data) {
        splitter.append(chunk)
    }

    /// Returns the next complete event; throws ``TransferError`` with the code `eventTooLong` as soon as the limit is exceeded.
    mutating func next() throws -> ServerSentEvent? {
        while true {
            // A field's value has fewer bytes than its line, so the difference is never negative.
            let limit = limit - data.count - type.count
            let isFirst = isFirstLine
            let field = try splitter.next(limit: limit, excess: .eventTooLong) { line in
                ServerSentEventField(isFirst ? Self.withoutByteOrderMark(line) : line)
            }
            guard let field else { return nil }
            isFirstLine = false
            if let event = take(field) { return event }
        }
    }

    /// Returns nothing: an event that is incomplete when the bytes end is discarded.
    mutating func finish() -> ServerSentEvent? { nil }

    /// Discards the incomplete event and prepares for the first bytes of another connection.
    ///
    /// The state for reconnecting is kept. Later events keep the last identifier until the server sends another, as in
    /// browsers.
    mutating func discardPending() {
        splitter = LineSplitter(.any)
        isFirstLine = true
        (data, type, id, retry) = ([], [], lastEventID, nil)
    }

    /// Processes a line; returns the event that the line completes, if any.
    private mutating func take(_ field: ServerSentEventField) -> ServerSentEvent? {
        switch field {
        case .end: return end()
        case .data(let line):
            data.append(contentsOf: line)
            data.append(0x0A)
        case .type(let name): type = name
        case .id(let text): id = text
        case .retry(let delay):
            retry = delay
            reconnectionTime = delay
        case .ignored: break
        }
        return nil
    }

    /// Ends an event; without a `data` field there is no event, but its identifier counts.
    private mutating func end() -> ServerSentEvent? {
        defer {
            data.removeAll(keepingCapacity: data.capacity <= 65_536)
            type = []
            retry = nil
        }
        lastEventID = id
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
            data: String(decoding: data.dropLast(), as: UTF8.self),
            id: id,
            retry: retry
        )
    }

    private static func withoutByteOrderMark(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard line.starts(with: [0xEF, 0xBB, 0xBF]) else { return line }
        return UnsafeRawBufferPointer(rebasing: line.dropFirst(3))
    }
}
