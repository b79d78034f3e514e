/// Makes server-sent events out of chunks of bytes.
///
/// The rules are those of the
/// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation). An
/// event is complete with the empty line after it; one that is not when the bytes end is lost, as the standard says.
struct ServerSentEventDecoder {
    /// The identifier of the last complete event, with which to connect again; empty without one.
    private(set) var lastEventID = ""
    /// How long to wait before connecting again; `nil` where the server did not say.
    private(set) var reconnectionTime: Duration?

    private let limit: Int
    private var splitter = LineSplitter(.any)
    private var isFirstLine = true
    private var data: [UInt8] = []
    private var type: [UInt8] = []
    private var id = ""
    private var retry: Duration?

    /// Creates a decoder.
    ///
    /// - Parameter limit: How many bytes of an event may be pending: its text, its type and the line that is arriving.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Takes the next bytes.
    ///
    /// - Parameter chunk: The bytes, however they were cut.
    mutating func append(_ chunk: Data) {
        splitter.append(chunk)
    }

    /// Takes the next event that is complete.
    ///
    /// - Returns: The event, `nil` where more bytes are needed.
    /// - Throws: ``TransferError`` with the code `eventTooLong`, as soon as that is certain.
    mutating func next() throws -> ServerSentEvent? {
        while true {
            // A field's value has fewer bytes than its line, so that the difference is never negative.
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

    /// Forgets the event that is not complete, and is ready for the first bytes of another connection.
    ///
    /// What is known for connecting stays. Events there keep the last identifier until the server sends another, as in
    /// browsers.
    mutating func discardPending() {
        splitter = LineSplitter(.any)
        isFirstLine = true
        (data, type, id, retry) = ([], [], lastEventID, nil)
    }

    /// Takes a line in.
    ///
    /// - Returns: The event, where the line completes one.
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

    /// Ends an event; without a field `data` it is none, but its identifier counts.
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
