import Foundation

/// Reads what the client of an ``HTTP2Script`` sends over one connection.
struct HTTP2Session {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let connection: RawConnection
    private let peer: HTTP2Peer
    private let record: Observed<HTTP2Script.Record>
    private let answer: HTTP2Script.Answer
    private let received: HTTP2Script.Receipt?
    private var decoder = HPACKDecoder()
    private var requests: [Int: HTTP2Request] = [:]
    private var count = 0
    /// The head whose frames are arriving.
    private var head: (block: [UInt8], ends: Bool) = ([], false)

    /// Whether requests and resets are remembered after they were dealt with.
    private let remembers: Bool

    init(
        _ connection: RawConnection,
        _ record: Observed<HTTP2Script.Record>,
        remembers: Bool = true,
        watch: HTTP2Script.Watch? = nil,
        received: HTTP2Script.Receipt? = nil,
        _ answer: @escaping HTTP2Script.Answer
    ) {
        self.connection = connection
        self.record = record
        self.remembers = remembers
        self.answer = answer
        self.received = received
        peer = HTTP2Peer(connection, watch: watch)
    }

    /// Reads until the connection ends.
    mutating func run(_ settings: [Int: Int], http1 response: String?) throws {
        let preface = try connection.read(Self.preface.count)
        guard preface == Self.preface else {
            if let response { try runHTTP1(preface, response) }
            return
        }
        peer.settings(settings)
        while true {
            var (frame, length) = HTTP2Frame.parse(head: try connection.read(9))
            frame.payload = try connection.read(length)
            received?(connection.number, frame)
            try receive(frame)
        }
    }

    /// Answers requests of HTTP/1.1 whose bodies have a length.
    private mutating func runHTTP1(_ early: [UInt8], _ response: String) throws {
        var input = early
        while true {
            while input.firstRange(of: Array("\r\n\r\n".utf8)) == nil { input += try connection.read() }
            guard let end = input.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
            let lines = String(decoding: input[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            input.removeSubrange(..<end.upperBound)
            let words = lines[0].split(separator: " ").map(String.init)
            guard words.count == 3 else { return }
            var fields = [HTTP2Field(":method", words[0]), HTTP2Field(":path", words[1])]
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { return }
                let value = line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
                fields.append(HTTP2Field(line[..<colon].lowercased(), value))
            }
            count += 1
            var request = HTTP2Request(connection: connection.number, ordinal: count, stream: 0, fields: fields)
            let length = request["content-length"].flatMap { Int($0) } ?? 0
            while input.count < length { input += try connection.read() }
            request.body = Array(input.prefix(length))
            input.removeFirst(length)
            let recorded = request
            record.update { $0.requests.append(recorded) }
            connection.write(Array(response.utf8))
        }
    }

    private mutating func receive(_ frame: HTTP2Frame) throws {
        let isAcknowledgement = frame.flags & HTTP2Frame.acknowledgement != 0
        switch HTTP2Frame.Kind(rawValue: frame.kind) {
        case .settings where !isAcknowledgement:
            peer.receive(settings: frame.payload)
        case .ping where !isAcknowledgement:
            peer.send(HTTP2Frame(.ping, flags: HTTP2Frame.acknowledgement, payload: frame.payload))
        case .windowUpdate:
            peer.receive(windowUpdate: HTTP2Frame.number(frame.payload), on: frame.stream)
        case .resetStream:
            requests[frame.stream] = nil
            peer.receiveReset(of: frame.stream)
            let code = HTTP2ErrorCode(rawValue: HTTP2Frame.number(frame.payload))
            if remembers { record.update { $0.resets.append(code) } }
        case .headers:
            head = (Array(frame.content), frame.flags & HTTP2Frame.endStream != 0)
            if frame.flags & HTTP2Frame.endHeaders != 0 { try receiveHead(of: frame.stream) }
        case .continuation:
            head.block += frame.payload
            if frame.flags & HTTP2Frame.endHeaders != 0 { try receiveHead(of: frame.stream) }
        case .data:
            receiveData(frame)
        default:
            break
        }
    }

    private mutating func receiveHead(of stream: Int) throws {
        let fields = try decoder.decode(head.block)
        if requests[stream] == nil {
            count += 1
            requests[stream] = HTTP2Request(
                connection: connection.number,
                ordinal: count,
                stream: stream,
                fields: fields
            )
        } else {
            requests[stream]?.fields += fields
        }
        if head.ends { finish(stream) }
    }

    private mutating func receiveData(_ frame: HTTP2Frame) {
        requests[frame.stream]?.body += frame.content
        if !frame.payload.isEmpty {
            let count = HTTP2Frame.bytes(frame.payload.count)
            peer.send(HTTP2Frame(.windowUpdate, payload: count))
            if frame.flags & HTTP2Frame.endStream == 0 {
                // As bytes, which do not wait behind the stream's data.
                peer.send(HTTP2Frame(.windowUpdate, stream: frame.stream, payload: count).bytes)
            }
        }
        if frame.flags & HTTP2Frame.endStream != 0 { finish(frame.stream) }
    }

    private mutating func finish(_ stream: Int) {
        guard let request = requests.removeValue(forKey: stream) else { return }
        if remembers { record.update { $0.requests.append(request) } }
        answer(HTTP2Exchange(request: request, peer: peer, record: record))
    }
}
