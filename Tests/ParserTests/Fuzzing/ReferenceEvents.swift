import PiuPiuAsync

/// Server-sent events, read in one go and as the HTML standard words it:
/// <https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation>.
struct ReferenceEvents {
    private(set) var events: [ServerSentEvent] = []
    /// The identifier of the last event that was complete.
    private(set) var lastEventID = ""
    private(set) var reconnectionTime: Duration?

    init(_ bytes: [UInt8]) {
        var (data, type, idBuffer) = ("", "", "")
        var retry: Duration?
        for line in Self.lines(bytes) {
            guard !line.isEmpty else {
                lastEventID = idBuffer
                if !data.isEmpty {
                    let text = String(data.unicodeScalars.dropLast())
                    let name = type.isEmpty ? "message" : type
                    events.append(ServerSentEvent(type: name, data: text, id: idBuffer, retry: retry))
                }
                (data, type, retry) = ("", "", nil)
                continue
            }
            let scalars = line.unicodeScalars
            let colon = scalars.firstIndex(of: ":") ?? scalars.endIndex
            var value = scalars[colon...].dropFirst()
            if value.first == " " { value = value.dropFirst() }
            switch Array(String(scalars[..<colon]).utf8) {
            case Array("event".utf8): type = String(value)
            case Array("data".utf8): data.unicodeScalars += Array(value) + ["\n"]
            case Array("id".utf8) where !value.contains("\0"): idBuffer = String(value)
            case Array("retry".utf8) where !value.isEmpty && value.allSatisfy { ("0"..."9").contains($0) }:
                let number = value.drop { $0 == "0" }
                // The largest delay is a rule of ours.
                let isSmall = number.count <= 10
                retry = .milliseconds(isSmall ? min(Int64(String(number)) ?? 0, Int64(Int32.max)) : Int64(Int32.max))
                reconnectionTime = retry
            default: break
            }
        }
    }

    /// The lines that have an end, decoded.
    private static func lines(_ bytes: [UInt8]) -> [String] {
        var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        var lines: [String] = []
        while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            lines.append(String(decoding: rest[..<end], as: UTF8.self))
            let isPair = rest[end] == 0x0D && end + 1 < rest.endIndex && rest[end + 1] == 0x0A
            rest = rest[(end + (isPair ? 2 : 1))...]
        }
        return lines
    }
}
