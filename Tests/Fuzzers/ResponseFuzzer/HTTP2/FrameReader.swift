import PiuPiuAsync
import PiuPiuEngine
import TestSupport

/// Reads what a server sent on a connection of HTTP/2, strictly, and tells which responses were whole (RFC 9113).
///
/// It reads while the server writes, and forgets streams that are no longer needed. Nothing counts after the first
/// fault of the connection. Libraries differ about some faults, such as frames for streams that are closed; nothing is
/// decided after those.
struct FrameReader {
    /// What is known about the connection.
    enum Verdict: Equatable {
        case sound
        /// Every client has to give the connection up.
        case broken(String)
        /// A client may give the connection up.
        case undecided(String)
    }

    /// What was sent on a stream.
    struct Stream {
        let isHead: Bool
        /// The fields of the final head.
        var head: [HTTP2Field]?
        var body: [UInt8] = []
        /// Whether END_STREAM came after the final head.
        var isComplete = false
        /// The first rule about messages that was broken, of which clients need not mind all.
        var fault: String?
        /// The code of RST_STREAM.
        var reset: Int?

        var status: Int? { head?.first { $0.name == ":status" }.flatMap { Int($0.value) } }
        /// The length that the head announces.
        var contentLength: Int? { head?.first { $0.name == "content-length" }.flatMap { Int($0.value) } }
    }

    private(set) var verdict = Verdict.sound
    private(set) var streams: [Int: Stream] = [:]
    /// The codes of the first RST_STREAM of each stream.
    private(set) var resets: [Int: Int] = [:]
    /// The smallest last stream of the frames GOAWAY.
    private(set) var lastStream: Int?
    /// The newest stream that the client opened.
    private var newest = 0
    private var input: [UInt8] = []
    private var decoder = HPACKDecoder()
    private var isFirst = true
    /// Whether nothing more is read.
    private var isOver = false
    /// The head whose frames are arriving.
    private var block: (stream: Int, bytes: [UInt8], ends: Bool)?

    /// Whether the beginning of a frame or of a head has arrived, into which all that follows would go.
    var isInside: Bool { isOver || !input.isEmpty || block != nil }

    /// Notes that the client opened a stream.
    ///
    /// - Parameters:
    ///   - stream: Its number.
    ///   - isHead: Whether the request is a `HEAD`, whose response may announce a body that does not come.
    mutating func open(_ stream: Int, isHead: Bool) {
        streams[stream] = Stream(isHead: isHead)
        newest = max(newest, stream)
    }

    /// Forgets a stream, for which later frames decide nothing.
    mutating func forget(_ stream: Int) {
        streams[stream] = nil
        resets[stream] = nil
    }

    /// Reads the next bytes.
    mutating func read(_ bytes: [UInt8]) {
        input += bytes
        while input.count >= 9, !isOver {
            if case .broken = verdict { isOver = true }
            let length = Int(input[0]) << 16 | Int(input[1]) << 8 | Int(input[2])
            guard length <= HTTP2Frame.largestPayload else {
                if verdict == .sound { verdict = .broken("a frame is too large") }
                // It is unknown where the next one begins.
                isOver = true
                return
            }
            guard input.count >= 9 + length else { return }
            let stream = (Int(input[5]) << 24 | Int(input[6]) << 16 | Int(input[7]) << 8 | Int(input[8])) & 0x7FFF_FFFF
            let (kind, flags) = (input[3], input[4])
            let payload = Array(input[9..<(9 + length)])
            input.removeFirst(9 + length)
            if isFirst, kind != 4 || flags & 1 != 0 { verdict = .broken("the first frame has no settings") }
            isFirst = false
            noteRefusal(kind, stream, payload)
            if verdict == .sound { take(kind, flags, stream, payload) }
        }
    }

    /// Notes what says that requests were not processed, even if nothing else is decided any more.
    private mutating func noteRefusal(_ kind: UInt8, _ stream: Int, _ payload: [UInt8]) {
        if kind == HTTP2Frame.Kind.resetStream.rawValue, payload.count == 4 {
            resets[stream] = resets[stream] ?? HTTP2Frame.number(of: payload)
        } else if kind == HTTP2Frame.Kind.goAway.rawValue, stream == 0, payload.count >= 8 {
            let last = HTTP2Frame.number(of: payload.prefix(4)) & 0x7FFF_FFFF
            lastStream = min(last, lastStream ?? last)
        }
    }

    private mutating func take(_ kind: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) {
        if let block, kind != 9 || block.stream != stream {
            verdict = .broken("a head is interrupted")
            return
        }
        switch HTTP2Frame.Kind(rawValue: kind) {
        case .data: takeData(flags, stream, payload)
        case .headers:
            guard let content = content(flags, payload, mayHavePriority: true) else { return }
            guard stream > 0 else { return verdict = .broken("a head on stream 0") }
            block = (stream, content, flags & 1 != 0)
            if flags & 4 != 0 { takeHead() }
        case .continuation:
            guard block != nil else { return verdict = .broken("CONTINUATION without a head") }
            block?.bytes += payload
            // Clients have limits for what is never needed.
            if block?.bytes.count ?? 0 > 60_000 || payload.isEmpty { verdict = .undecided("a large or odd head") }
            if flags & 4 != 0 { takeHead() }
        case .resetStream:
            guard stream > 0, payload.count == 4 else { return verdict = .broken("a wrong RST_STREAM") }
            guard streams[stream] != nil else { return verdict = .undecided("RST_STREAM of another stream") }
            if streams[stream]?.reset == nil, streams[stream]?.isComplete == false {
                streams[stream]?.reset = HTTP2Frame.number(of: payload)
            }
        case .settings:
            let isRight = stream == 0 && payload.count.isMultiple(of: 6) && (flags & 1 == 0 || payload.isEmpty)
            verdict = isRight ? verdict(ofSettings: payload) : .broken("wrong SETTINGS")
        case .ping: if stream != 0 || payload.count != 8 { verdict = .broken("a wrong PING") }
        case .goAway:
            guard stream == 0, payload.count >= 8 else { return verdict = .broken("a wrong GOAWAY") }
            // With an error, clients close the connection at once; and no stream of theirs has such a number.
            let last = HTTP2Frame.number(of: payload.prefix(4)) & 0x7FFF_FFFF
            if last > 0, last.isMultiple(of: 2) { return verdict = .undecided("GOAWAY with an odd stream") }
            if HTTP2Frame.number(of: payload[4..<8]) != 0 { verdict = .undecided("GOAWAY with an error") }
        case .windowUpdate:
            guard payload.count == 4 else { return verdict = .broken("a wrong WINDOW_UPDATE") }
            if stream > newest {
                // The request of the next ones may be on its way.
                let isNear = stream <= newest + 2 * FramePlan.largestGroup
                let text = "WINDOW_UPDATE of a stream that is not known"
                return verdict = isNear ? .undecided(text) : .broken(text)
            }
            let count = HTTP2Frame.number(of: payload) & 0x7FFF_FFFF
            if count == 0 || count > 1 << 24 { verdict = .undecided("an odd WINDOW_UPDATE") }
        case .priority:
            let parent = payload.prefix(4).reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
            // RFC 7540 forbids that a stream depends on itself, and RFC 9113 has nothing to say about it.
            if stream == 0 || payload.count != 5 || parent == stream { verdict = .undecided("a wrong PRIORITY") }
        case .pushPromise: verdict = .broken("a response that was not asked for")
        case nil: verdict = kind > 9 && kind < 0xF0 ? .undecided("a frame of an extension") : verdict
        }
    }

    private func verdict(ofSettings payload: [UInt8]) -> Verdict {
        for start in stride(from: 0, to: payload.count, by: 6) {
            let number = HTTP2Frame.number(of: payload[start..<(start + 2)])
            let value = HTTP2Frame.number(of: payload[(start + 2)..<(start + 6)])
            // Those that tests use, and those that change nothing for a client that sends little.
            let isUsual =
                number == 3 && value >= 10 || number == 4 && (1 << 14...1 << 24).contains(value) || number == 6
            if !isUsual { return .undecided("unusual settings") }
        }
        return .sound
    }

    private mutating func takeData(_ flags: UInt8, _ stream: Int, _ payload: [UInt8]) {
        guard stream > 0 else { return verdict = .broken("DATA on stream 0") }
        guard let content = content(flags, payload, mayHavePriority: false) else { return }
        guard let old = streams[stream], !old.isComplete, old.reset == nil else {
            return verdict = .undecided("DATA on another stream")
        }
        guard old.status.map({ $0 >= 200 }) == true else {
            streams[stream]?.fault = old.fault ?? "DATA before the head"
            verdict = .undecided("DATA before the head")
            return
        }
        streams[stream]?.body += content
        if flags & 1 != 0 { end(stream) }
    }

    /// The payload without padding and priority; `nil` if it breaks the connection.
    private mutating func content(_ flags: UInt8, _ payload: [UInt8], mayHavePriority: Bool) -> [UInt8]? {
        var content = payload[...]
        func fail(_ text: String) -> [UInt8]? {
            // Clients do not look into frames of streams that they have given up.
            verdict = .undecided(text)
            return nil
        }
        var padding = 0
        if flags & 8 != 0 {
            guard let count = content.popFirst() else {
                return fail("no room for padding")
            }
            padding = Int(count)
        }
        if mayHavePriority, flags & 0x20 != 0 {
            guard content.count >= 5 else {
                return fail("no room for a priority")
            }
            content = content.dropFirst(5)
        }
        guard padding <= content.count else {
            return fail("more padding than there is room for")
        }
        return Array(content.dropLast(padding))
    }

    private mutating func end(_ stream: Int) {
        guard let old = streams[stream] else { return }
        streams[stream]?.isComplete = true
        if let length = old.contentLength, length != old.body.count, old.fault == nil, !old.isHead {
            streams[stream]?.fault = "the body is longer or shorter than announced"
        }
    }

    /// What has arrived of the body of a stream, with the beginning of a frame whose end has not arrived.
    func body(of stream: Int) -> [UInt8] {
        let body = streams[stream]?.body ?? []
        guard verdict == .sound, streams[stream]?.isComplete == false, block == nil, input.count > 9, input[3] == 0
        else { return body }
        guard HTTP2Frame.number(of: input[5..<9]) & 0x7FFF_FFFF == stream else { return body }
        let isPadded = input[4] & 8 != 0
        let padding = isPadded ? Int(input[9]) + 1 : 0
        let length = max(0, HTTP2Frame.number(of: input[..<3]) - padding)
        return body + input.dropFirst(isPadded ? 10 : 9).prefix(length)
    }

    // MARK: Heads

    private mutating func takeHead() {
        guard let (stream, bytes, ends) = block else { return }
        block = nil
        guard Self.isPlain(bytes), let fields = try? decoder.decode(bytes) else {
            // The tables of both sides may differ from here on.
            verdict = .undecided("a head that is not plain")
            return
        }
        guard let old = streams[stream], !old.isComplete, old.reset == nil else {
            return verdict = .undecided("a head on another stream")
        }
        let isTrailer = old.head != nil
        let fault = isTrailer ? Self.faultOfTrailers(fields, ends: ends) : Self.fault(of: fields, ends: ends)
        if let fault, old.fault == nil { streams[stream]?.fault = fault }
        let status = fields.first { $0.name == ":status" }.flatMap { Int($0.value) } ?? 0
        if !isTrailer, status >= 200 || fault != nil { streams[stream]?.head = fields }
        if ends { end(stream) }
    }

    /// Whether a head consists of literals that are not remembered and whose texts are not compressed.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let first = rest.popFirst() {
            guard first == 0 else { return false }
            for _ in 0..<2 {
                guard let length = rest.popFirst(), length < 0x80 else { return false }
                var count = Int(length)
                if count == 127 {
                    var shift = 0
                    while let byte = rest.popFirst(), shift <= 21 {
                        count += Int(byte & 0x7F) << shift
                        shift += 7
                        if byte < 0x80 { break }
                    }
                }
                guard rest.count >= count else { return false }
                rest = rest.dropFirst(count)
            }
        }
        return true
    }

    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]

    private static func fault(of fields: [HTTP2Field], ends: Bool) -> String? {
        let regular = fields.drop { $0.name.hasPrefix(":") }
        guard fields.count - regular.count == 1, let first = fields.first, first.name == ":status" else {
            return "the head has not one :status in front"
        }
        guard first.value.utf8.count == 3, let status = Int(first.value), (100...999).contains(status), status != 101
        else {
            return "the status is none"
        }
        if status < 200, ends { return "an informational head ends the stream" }
        let lengths = regular.filter { $0.name == "content-length" }
        guard lengths.count <= 1, lengths.allSatisfy({ Int($0.value) ?? -1 >= 0 && $0.value.utf8.count < 16 }) else {
            return "the length is none"
        }
        return fault(ofRegular: regular)
    }

    private static func faultOfTrailers(_ fields: [HTTP2Field], ends: Bool) -> String? {
        ends ? fault(ofRegular: fields[...]) : "trailers do not end the stream"
    }

    private static func fault(ofRegular fields: ArraySlice<HTTP2Field>) -> String? {
        for field in fields {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy({ $0.isTokenCharacter && $0.asciiLowercased == $0 })
            else {
                return "a name is none"
            }
            if connectionFields.contains(field.name) { return "a field belongs to the connection" }
            let isText = field.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 9 }
            guard isText, field.value.first?.isWhitespace != true, field.value.last?.isWhitespace != true else {
                return "a value is none"
            }
        }
        return nil
    }
}

extension HTTP2Frame {
    /// The number in some bytes.
    fileprivate static func number(of bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
