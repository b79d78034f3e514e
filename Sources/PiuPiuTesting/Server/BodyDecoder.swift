/// Extracts a request's body from the received bytes.
struct BodyDecoder {
    enum Outcome {
        case needsMore
        case complete
        case malformed
        case tooLarge
    }

    private enum State {
        case fixed(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailer
        case complete
    }

    /// The maximum length of a body to keep; a body that is only discarded has no limit.
    static let largestBody = 1 << 30
    static let largestRecording = 1 << 26
    private static let longestLine = 1 << 16
    private static let lineEnd: [UInt8] = [13, 10]

    /// The bytes of the body, up to the recording limit.
    private(set) var bytes: [UInt8] = []

    /// The length of the body so far.
    private(set) var length = 0
    private let records: Bool
    private var state: State

    /// Creates a decoder, or returns `nil` if the head is invalid.
    init?(headers: HeaderList, records: Bool) {
        self.records = records
        if headers.contains(token: "chunked", in: "Transfer-Encoding") {
            self.state = .chunkSize
        } else if let value = headers.first("Content-Length") {
            guard value.utf8.allSatisfy({ 48...57 ~= $0 }), let length = Int(value) else { return nil }
            self.state = length == 0 ? .complete : .fixed(remaining: length)
        } else {
            self.state = .complete
        }
    }

    var isComplete: Bool {
        if case .complete = state { true } else { false }
    }

    /// Decodes as much of the input as possible.
    mutating func decode(_ input: inout InputBuffer) -> Outcome {
        while true {
            switch state {
            case .fixed(let remaining):
                guard !records || remaining <= Self.largestBody else { return .tooLarge }
                let rest = remaining - takeData(remaining, from: &input)
                state = rest == 0 ? .complete : .fixed(remaining: rest)
                if rest > 0 { return .needsMore }
            case .chunkSize:
                guard let line = takeLine(from: &input) else { return lineIsMissing(in: input) }
                guard let size = Self.chunkSize(line) else { return .malformed }
                guard !records || size <= Self.largestBody - length else { return .tooLarge }
                state = size == 0 ? .trailer : .chunk(remaining: size)
            case .chunk(let remaining):
                let rest = remaining - takeData(remaining, from: &input)
                state = rest == 0 ? .chunkEnd : .chunk(remaining: rest)
                if rest > 0 { return .needsMore }
            case .chunkEnd:
                guard input.count >= 2 else { return .needsMore }
                guard input.starts(with: Self.lineEnd) else { return .malformed }
                input.skip(2)
                state = .chunkSize
            case .trailer:
                guard let line = takeLine(from: &input) else { return lineIsMissing(in: input) }
                if line.isEmpty {
                    state = .complete
                }
            case .complete:
                return .complete
            }
        }
    }

    private mutating func takeData(_ wanted: Int, from input: inout InputBuffer) -> Int {
        let count = min(wanted, input.count)
        length += count
        let recorded = records ? min(count, Self.largestRecording - bytes.count) : 0
        input.move(recorded, to: &bytes)
        input.skip(count - recorded)
        return count
    }

    private func takeLine(from input: inout InputBuffer) -> [UInt8]? {
        guard let length = input.distance(to: Self.lineEnd, from: 0), length <= Self.longestLine else { return nil }
        let line = input.take(length)
        input.skip(2)
        return line
    }

    private func lineIsMissing(in input: InputBuffer) -> Outcome {
        input.count > Self.longestLine ? .malformed : .needsMore
    }

    private static func chunkSize(_ line: [UInt8]) -> Int? {
        let digits = line.prefix { $0 != 59 && $0 != 32 && $0 != 9 }
        guard let first = digits.first, first != 43, first != 45, digits.count <= 15 else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
