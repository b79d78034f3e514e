import PiuPiuAsync

/// The server's side of a connection of HTTP/2, which sends any frames, right or wrong.
///
/// It keeps to the client's flow control: data waits until there is room, and what is sent on the same stream waits behind
/// it.
public final class HTTP2Peer: Sendable {
    private enum Item {
        case data([UInt8], ends: Bool)
        case frame(HTTP2Frame)
    }

    private struct Stream {
        var window: Int
        var waiting: [Item] = []
    }

    private struct State {
        var window = 65535
        var initialWindow = 65535
        var streams: [Int: Stream] = [:]
        var batch: [UInt8]?
    }

    /// The connection below; what is written to it directly comes between the frames.
    public let connection: RawConnection
    private let state = Locked(State())
    private let watch: HTTP2Script.Watch?

    init(_ connection: RawConnection, watch: HTTP2Script.Watch? = nil) {
        self.connection = connection
        self.watch = watch
    }

    // MARK: Sending

    /// Sends all frames of a closure in one write.
    ///
    /// - Parameter body: Sends the frames.
    public func together(_ body: () -> Void) {
        let isOuter = state.withLock { state in
            defer { state.batch = state.batch ?? [] }
            return state.batch == nil
        }
        body()
        guard isOuter else { return }
        state.withLock { state in
            connection.write(state.batch ?? [])
            state.batch = nil
        }
    }

    /// Sends a frame, on a stream behind the data that waits there.
    ///
    /// - Parameter frame: The frame.
    public func send(_ frame: HTTP2Frame) {
        state.withLock { state in
            if state.streams[frame.stream]?.waiting.isEmpty == false {
                state.streams[frame.stream]?.waiting.append(.frame(frame))
            } else {
                write(frame.bytes, &state)
            }
        }
    }

    /// Sends bytes as they are.
    ///
    /// - Parameter bytes: The bytes.
    public func send(_ bytes: [UInt8]) {
        state.withLock { write(bytes, &$0) }
    }

    /// Sends a head or trailers.
    func send(head fields: [HTTP2Field], on stream: Int, ends: Bool) {
        let block = HPACKEncoder.encode(fields)
        let starts = Array(stride(from: 0, to: max(1, block.count), by: HTTP2Frame.largestPayload))
        together {
            for start in starts {
                let part = Array(block[start..<min(block.count, start + HTTP2Frame.largestPayload)])
                var frame = HTTP2Frame(start == 0 ? .headers : .continuation, stream: stream, payload: part)
                if start == 0, ends { frame.flags |= HTTP2Frame.endStream }
                if start == starts.last { frame.flags |= HTTP2Frame.endHeaders }
                send(frame)
            }
        }
    }

    /// Sends a part of a body.
    func send(data: [UInt8], on stream: Int, ends: Bool) {
        state.withLock { state in
            let window = state.initialWindow
            state.streams[stream, default: Stream(window: window)].waiting.append(.data(data, ends: ends))
            flush(stream, &state)
        }
    }

    /// Says that the connection ends.
    ///
    /// - Parameters:
    ///   - lastStream: The last stream that is processed.
    ///   - code: Why it ends.
    public func goAway(lastStream: Int, _ code: HTTP2ErrorCode = .noError) {
        let payload = HTTP2Frame.bytes(lastStream) + HTTP2Frame.bytes(code.rawValue)
        send(HTTP2Frame(.goAway, payload: payload))
    }

    /// Sends settings.
    ///
    /// - Parameter settings: The values by their numbers.
    public func settings(_ settings: [Int: Int]) {
        let payload = settings.sorted { $0.key < $1.key }
            .flatMap { HTTP2Frame.bytes($0.key).suffix(2) + HTTP2Frame.bytes($0.value) }
        send(HTTP2Frame(.settings, payload: payload))
    }

    /// Gives the client more room for what it sends.
    ///
    /// - Parameters:
    ///   - count: How many bytes more.
    ///   - stream: For which stream; 0 for the connection.
    public func windowUpdate(_ count: Int, stream: Int = 0) {
        send(HTTP2Frame(.windowUpdate, stream: stream, payload: HTTP2Frame.bytes(count)))
    }

    /// Asks for a sign of life.
    public func ping() {
        send(HTTP2Frame(.ping, payload: [1, 2, 3, 4, 5, 6, 7, 8]))
    }

    /// Closes the connection in an orderly way.
    public func close() {
        connection.close()
    }

    /// Closes the connection with a reset (RST).
    public func abort() {
        connection.reset()
    }

    // MARK: What the client sent

    /// Takes over the client's settings.
    func receive(settings payload: [UInt8]) {
        state.withLock { state in
            for start in stride(from: 0, to: payload.count - 5, by: 6) {
                // The room of a new stream.
                guard HTTP2Frame.number(payload[start..<start + 2]) == 4 else { continue }
                let window = HTTP2Frame.number(payload[start + 2..<start + 6])
                for stream in state.streams.keys { state.streams[stream]?.window += window - state.initialWindow }
                state.initialWindow = window
            }
            for stream in state.streams.keys.sorted() { flush(stream, &state) }
            write(HTTP2Frame(.settings, flags: HTTP2Frame.acknowledgement).bytes, &state)
        }
    }

    /// Learns that there is more room.
    func receive(windowUpdate count: Int, on stream: Int) {
        state.withLock { state in
            if stream == 0 {
                state.window += count
                for stream in state.streams.keys.sorted() { flush(stream, &state) }
            } else {
                let window = state.initialWindow
                state.streams[stream, default: Stream(window: window)].window += count
                flush(stream, &state)
            }
        }
    }

    /// Forgets a stream that the client reset.
    func receiveReset(of stream: Int) {
        state.withLock { $0.streams[stream] = nil }
    }

    // MARK: Writing

    private func flush(_ number: Int, _ state: inout State) {
        guard var stream = state.streams[number] else { return }
        while let item = stream.waiting.first {
            switch item {
            case .frame(let frame):
                write(frame.bytes, &state)
                stream.waiting.removeFirst()
            case .data(let bytes, let ends):
                let count = min(bytes.count, stream.window, state.window, HTTP2Frame.largestPayload)
                guard count > 0 || bytes.isEmpty else {
                    state.streams[number] = stream
                    return
                }
                stream.window -= count
                state.window -= count
                let isLast = count == bytes.count
                let flags = isLast && ends ? HTTP2Frame.endStream : 0
                let part = Array(bytes.prefix(count))
                write(HTTP2Frame(.data, flags: flags, stream: number, payload: part).bytes, &state)
                if isLast {
                    stream.waiting.removeFirst()
                } else {
                    stream.waiting[0] = .data(Array(bytes.dropFirst(count)), ends: ends)
                }
            }
        }
        state.streams[number] = stream
    }

    private func write(_ bytes: [UInt8], _ state: inout State) {
        watch?(connection.number, bytes)
        if state.batch == nil {
            connection.write(bytes)
        } else {
            state.batch?.append(contentsOf: bytes)
        }
    }
}
