import TestSupport

/// A frame of a plan, whose stream is known when the request has arrived.
struct PlannedFrame: Sendable {
    var kind: UInt8
    var flags: UInt8 = 0
    /// How far its stream is from that of the request; `nil` for the connection.
    var offset: Int? = 0
    var payload: [UInt8] = []
    /// The length it claims to have, if that is not its length.
    var claimedLength: Int?

    init(_ kind: HTTP2Frame.Kind, flags: UInt8 = 0, offset: Int? = 0, payload: [UInt8] = []) {
        self.kind = kind.rawValue
        self.flags = flags
        self.offset = offset
        self.payload = payload
    }

    /// A frame with a whole head.
    static func head(_ fields: [HTTP2Field], ends: Bool = false) -> PlannedFrame {
        PlannedFrame(.headers, flags: 4 | (ends ? 1 : 0), payload: HPACKEncoder.encode(fields))
    }

    /// The bytes for a request's stream.
    func bytes(on stream: Int) -> [UInt8] {
        let number = offset.map { max(0, stream + $0) } ?? 0
        return Array(Self.bytes(claimedLength ?? payload.count).dropFirst()) + [kind, flags] + Self.bytes(number)
            + payload
    }

    /// A number in four bytes.
    static func bytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// What it is, for people to read.
    var text: String {
        let names = ["DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY"]
        let all = names + ["WINDOW_UPDATE", "CONTINUATION"]
        let name = Int(kind) < all.count ? all[Int(kind)] : "kind \(kind)"
        let stream = offset.map { "stream \($0 < 0 ? "" : "+")\($0)" } ?? "stream 0"
        let claim = claimedLength.map { ", claims \($0)" } ?? ""
        let bytes = payload.prefix(120).map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
        return "\(name) flags \(String(flags, radix: 16)) \(stream)\(claim) [\(payload.count)] \(bytes)"
    }
}
