import PiuPiuAsync
import TestSupport

/// The sequences of frames that mutations start from.
enum FrameSeed: String, CaseIterable, Sendable {
    case length, noLength, empty, noContent, trailers, informational, padded, continuations, largeHead, gzip
    case settingsInside, pingInside, windowUpdateInside, goAwayLater, unknownFrame, priority, smallData, emptyEnd,
        largeBody
    case refused, http1Required, goAwayBefore, cutWithLength, cutWithoutLength, cancelled, notModified

    /// Whether a client has to succeed with it, if nothing else happens on its connection.
    var isLegal: Bool {
        switch self {
        // Neither a response, nor what every server may send.
        case .refused, .http1Required, .goAwayBefore, .cutWithLength, .cutWithoutLength, .cancelled: false
        default: true
        }
    }

    /// Makes the frames for a request.
    func make(id: UInt64, _ random: inout SeededRandom) -> [PlannedFrame] {
        let mark = Marker.bytes(of: id)
        let count = self == .largeBody ? 20_000 + random.below(60_000) : random.below(200)
        let body = Array("body ".utf8) + mark + repeatElement(0x78, count: count)
        let half = body.count / 2
        func head(_ status: Int = 200, _ fields: [HTTP2Field] = [], length: Int? = nil, ends: Bool = false)
            -> PlannedFrame
        {
            let mark = HTTP2Field("x-mark", String(decoding: mark, as: UTF8.self))
            let length = length.map { [HTTP2Field("content-length", "\($0)")] } ?? []
            return .head([HTTP2Field(":status", "\(status)"), mark] + length + fields, ends: ends)
        }
        let whole = Self.data(body)
        let parts = Self.data(Array(body[..<half]), ends: false)
        let rest = Self.data(Array(body[half...]))
        switch self {
        case .length, .largeBody: return [head(length: body.count)] + whole
        case .noLength: return [head()] + whole
        case .empty: return [head(length: 0, ends: true)]
        case .noContent: return [head(204, ends: true)]
        case .notModified: return [head(304, [HTTP2Field("etag", "\"a\"")], ends: true)]
        case .trailers:
            return [head()] + Self.data(body, ends: false) + [.head([HTTP2Field("x-sum", "1")], ends: true)]
        case .informational:
            let early = HTTP2Field("link", "</a>")
            return [.head([HTTP2Field(":status", "103"), early]), head(length: body.count)] + whole
        case .padded:
            let padding = random.below(100)
            let payload = [UInt8(padding)] + body + repeatElement(0, count: padding)
            return [head(), PlannedFrame(.data, flags: 9, payload: payload)]
        case .continuations: return Self.split(head(length: body.count), 1 + random.below(20)) + whole
        case .largeHead:
            let fields = (0..<20).map { HTTP2Field("x-\($0)", String(repeating: "v", count: 1000)) }
            return Self.split(head(200, fields), HTTP2Frame.largestPayload) + whole
        case .gzip:
            let packed = Deflate.gzip(Deflate.stored(body), of: body)
            return [head(200, [HTTP2Field("content-encoding", "gzip")], length: packed.count)] + Self.data(packed)
        case .settingsInside:
            let settings = PlannedFrame(.settings, offset: nil, payload: [0, 3, 0, 0, 0, 90])
            return [head(), settings] + parts + rest
        case .pingInside:
            return [head()] + parts + [PlannedFrame(.ping, offset: nil, payload: [1, 2, 3, 4, 5, 6, 7, 8])] + rest
        case .windowUpdateInside:
            return [head(), PlannedFrame(.windowUpdate, offset: nil, payload: [0, 0, 1, 0])] + parts
                + [PlannedFrame(.windowUpdate, payload: [0, 0, 1, 0])] + rest
        case .goAwayLater: return [Self.goAway(0x7FFF_FFFF, 0), head()] + whole
        case .unknownFrame:
            var frame = PlannedFrame(.ping, offset: random.picks(50) ? 0 : nil, payload: Array(body.prefix(9)))
            frame.kind = 0xF5
            return [head(), frame] + whole
        case .priority: return [head(), PlannedFrame(.priority, payload: [0, 0, 0, 0, 16])] + whole
        case .smallData: return [head(length: body.count)] + Self.data(body, of: 1 + random.below(9))
        case .emptyEnd: return [head()] + Self.data(body, ends: false) + Self.data([])
        case .refused: return [Self.reset(.refusedStream)]
        case .http1Required: return [Self.reset(.http11Required)]
        case .goAwayBefore: return [Self.goAway(0, 0)]
        case .cutWithLength: return [head(length: body.count)] + parts + [Self.reset(.noError)]
        case .cutWithoutLength: return [head()] + parts + [Self.reset(random.picks(50) ? .noError : .internalError)]
        case .cancelled: return [Self.reset(random.element(of: HTTP2ErrorCode.allCases))]
        }
    }

    static func goAway(_ last: Int, _ code: Int) -> PlannedFrame {
        PlannedFrame(.goAway, offset: nil, payload: PlannedFrame.bytes(last) + PlannedFrame.bytes(code))
    }

    static func reset(_ code: HTTP2ErrorCode) -> PlannedFrame {
        PlannedFrame(.resetStream, payload: PlannedFrame.bytes(code.rawValue))
    }

    private static func data(_ body: [UInt8], of size: Int = HTTP2Frame.largestPayload, ends: Bool = true)
        -> [PlannedFrame]
    {
        let starts = Array(stride(from: 0, to: max(1, body.count), by: size))
        return starts.map { start in
            let part = Array(body[start..<min(body.count, start + size)])
            return PlannedFrame(.data, flags: ends && start == starts.last ? 1 : 0, payload: part)
        }
    }

    /// A head in several frames.
    private static func split(_ head: PlannedFrame, _ size: Int) -> [PlannedFrame] {
        // Clients have limits for the number of frames.
        let size = max(size, head.payload.count / 6 + 1)
        let starts = Array(stride(from: 0, to: head.payload.count, by: size))
        return starts.map { start in
            let end = start == starts.last ? head.payload.count : start + size
            let flags = (start == 0 ? head.flags & 1 : 0) | (start == starts.last ? 4 : 0)
            return PlannedFrame(
                start == 0 ? .headers : .continuation,
                flags: flags,
                payload: Array(head.payload[start..<end])
            )
        }
    }
}
