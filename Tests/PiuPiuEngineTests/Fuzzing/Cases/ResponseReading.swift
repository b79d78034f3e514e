import PiuPiuEngine

/// What a parser says of bytes that arrive in pieces, and of the end of the connection behind them.
struct ResponseReading: Equatable {
    enum Outcome: Equatable {
        case complete
        case endedWithConnection
        case withoutHead
        case truncated
        case failed(ResponseParser.Failure)
    }

    private(set) var heads: [[UInt8]] = []
    private(set) var codes: [Int] = []
    private(set) var body: [UInt8] = []
    private(set) var trailers: [UInt8] = []
    private(set) var outcome = Outcome.withoutHead
    private(set) var keepsConnection = false
    /// The number of bytes that belong to the response, if it is complete.
    private(set) var taken = 0

    /// Reads bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isHEAD: Whether the response has no body.
    ///   - limit: The largest size of heads and trailers.
    ///   - size: Returns how many bytes arrive next.
    /// - Throws: What the parser must never do.
    init(_ bytes: [UInt8], isHEAD: Bool, limit: Int, pieces size: () -> Int) throws(FuzzProblem) {
        var parser = ResponseParser(limit: limit, isHEAD: isHEAD)
        var position = 0
        do throws(Fault) {
            while position < bytes.count, outcome != .complete {
                let end = min(bytes.count, position + max(0, size()))
                try take(bytes[position..<end], &parser)
                // A mirror takes longer than the parser.
                if position / 64 < end / 64 { try checkMemory(parser, limit) }
                position = end
            }
        } catch {
            if case .problem(let problem) = error { throw problem }
            if case .failure(let failure) = error { outcome = .failed(failure) }
        }
        trailers = parser.head.trailers
        try demand(Self.keptBytes(of: parser) <= limit, "more is kept than the limit allows")
        if case .failed = outcome { return }
        try end(&parser)
    }

    private enum Fault: Error {
        case failure(ResponseParser.Failure)
        case problem(FuzzProblem)
    }

    private mutating func take(_ piece: ArraySlice<UInt8>, _ parser: inout ResponseParser) throws(Fault) {
        // Of exactly its size, so that the address sanitizer sees what is read behind it.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
        memory.copyBytes(from: piece)
        defer { memory.deallocate() }
        var input = UnsafeRawBufferPointer(memory)
        var events = 0
        while true {
            let before = input.count
            let event: ResponseParser.Event
            do throws(ResponseParser.Failure) {
                event = try parser.next(&input)
            } catch {
                throw .failure(error)
            }
            taken += before - input.count
            events += 1
            do throws(FuzzProblem) {
                try demand(input.count <= before && events <= 2 * piece.count + 2, "it makes no progress")
                if try note(event, input, memory, parser) { return }
                if case .end = event { return try checkEnd(&parser, input) }
            } catch {
                throw .problem(error)
            }
        }
    }

    /// Returns whether the next piece is needed.
    private mutating func note(
        _ event: ResponseParser.Event,
        _ rest: UnsafeRawBufferPointer,
        _ memory: UnsafeMutableRawBufferPointer,
        _ parser: ResponseParser
    ) throws(FuzzProblem) -> Bool {
        switch event {
        case .needsMore:
            try demand(rest.isEmpty, "more is needed, and there is more")
            return true
        case .informational, .head:
            try demand(body.isEmpty, "there is a head behind the body")
            heads.append(parser.head.bytes)
            codes.append(parser.head.statusCode)
        case .body(let part):
            try demand(!part.isEmpty, "a part of the body is empty")
            try demand(codes.last.map { $0 >= 200 } ?? false, "there is a body before its head")
            let (from, inside) = (part.baseAddress, memory.baseAddress)
            let offset = from.flatMap { from in inside.map { from - UnsafeRawPointer($0) } } ?? -1
            let isNext = offset >= 0 && offset + part.count + rest.count == memory.count
            try demand(isNext, "a part of the body is not what was taken")
            body += part
        case .end: outcome = .complete
        }
        return false
    }

    /// What was kept of heads, of trailers, and of a line whose end has not arrived.
    private static func keptBytes(of parser: ResponseParser) -> Int {
        let head = parser.head
        let interim = head.isFinal || head.bytes != head.informational.last ? head.bytes.count : 0
        let line = Mirror(reflecting: parser).descendant("line") as? [UInt8]
        let pending = line?.count ?? .max / 2
        return interim + head.informational.reduce(0) { $0 + $1.count } + head.trailers.count + pending
    }

    private func checkMemory(_ parser: ResponseParser, _ limit: Int) throws(Fault) {
        guard Self.keptBytes(of: parser) > limit else { return }
        throw .problem(FuzzProblem(text: "more is kept than the limit allows"))
    }

    private func checkEnd(_ parser: inout ResponseParser, _ input: UnsafeRawBufferPointer) throws(FuzzProblem) {
        var rest = input
        guard let event = try? parser.next(&rest), case .end = event else {
            throw FuzzProblem(text: "something follows the end")
        }
        try demand(rest.count == input.count, "something is taken after the end")
        try demand(parser.isComplete, "the end is not the end")
    }

    private mutating func end(_ parser: inout ResponseParser) throws(FuzzProblem) {
        let (wasComplete, endsWithConnection) = (parser.isComplete, parser.endsWithConnection)
        try demand(wasComplete == (outcome == .complete), "it is complete without having ended")
        try demand(wasComplete || !parser.keepsConnection, "a connection is kept before the end")
        keepsConnection = parser.keepsConnection
        switch parser.connectionEnded() {
        case .complete where wasComplete:
            try demand(parser.keepsConnection == keepsConnection, "the end of a connection changes what was complete")
        case .complete:
            try demand(endsWithConnection, "a body is complete that is not")
            try demand(!parser.keepsConnection, "a connection is kept that has ended")
            outcome = .endedWithConnection
        case .withoutHead:
            try demand(codes.allSatisfy { $0 < 200 }, "there is no head, and there was one")
            outcome = .withoutHead
        case .truncated: outcome = .truncated
        }
    }
}
