/// A line of an event stream.
///
/// The rules are those of the
/// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation).
enum ServerSentEventField: Hashable {
    /// An empty line, which ends an event.
    case end
    /// A line of the event's text.
    case data([UInt8])
    /// The event's type.
    case type([UInt8])
    /// The event's identifier.
    case id(String)
    /// The time to wait before reconnecting.
    case retry(Duration)
    /// A comment, a field with another name, or a field with an invalid value.
    case ignored

    /// Parses a line without its terminator.
    init(_ line: UnsafeRawBufferPointer) {
        guard !line.isEmpty else {
            self = .end
            return
        }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        if name.elementsEqual("data".utf8) {
            self = .data(Array(value))
        } else if name.elementsEqual("event".utf8) {
            self = .type(Array(value))
        } else if name.elementsEqual("id".utf8), !value.contains(0) {
            self = .id(String(decoding: value, as: UTF8.self))
        } else if name.elementsEqual("retry".utf8), let delay = Self.delay(value) {
            self = .retry(delay)
        } else {
            self = .ignored
        }
    }

    /// Parses a number of milliseconds, which must consist of digits only.
    private static func delay(_ digits: Slice<UnsafeRawBufferPointer>) -> Duration? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let milliseconds = digits.reduce(Int64(0)) { min($0 * 10 + Int64($1 - 0x30), Int64(Int32.max)) }
        return .milliseconds(milliseconds)
    }
}
