/// An accepted socket and its state, used only on the server's thread.
///
/// This file sends and receives bytes. `Connection+Requests.swift` parses requests, `Connection+Script.swift` runs the
/// steps.
final class Connection {
    enum Phase {
        /// Waits for the head of a request.
        case head
        /// Waits for the body of a request whose script runs afterwards.
        case body
        /// Runs a script.
        case script
        /// Has run a script and discards the rest of the request's body.
        case finishing
        /// Does nothing further.
        case stalled
        /// Has ended its sending direction and discards what arrives until the client closes.
        case discarding
        case closed
    }

    /// The event that a script waits for.
    enum Wait: Equatable {
        case timer(Int)
        case gate(String)
    }

    let serial: Int
    unowned let reactor: Reactor
    private let socket: Int32

    /// The index of this connection in the reactor's lists; the reactor updates it.
    var slot: Int

    var phase = Phase.script
    var input = InputBuffer()
    var headParser = HeadParser()

    // The current request.
    var request: RecordedRequest?
    var decoder: BodyDecoder?
    var answer: RouteTable.Answer?
    var ignoresBody = false

    // The current script.
    var steps: [Step] = []
    var stepIndex = 0
    var copiesSent = 0
    var repeatedBlock: [UInt8] = []
    var wait: Wait?

    #if WebSockets
    /// The WebSocket that the connection has become; `nil` before.
    var webSocket: LoopbackWebSocket?
    #endif

    private(set) var output = OutputQueue()
    private(set) var hasEndedSending = false
    private var peerHasFinished = false
    private var hasFailed = false

    private static let largestBacklog = 1 << 16
    private static let largestTurn = 1 << 20

    init(serial: Int, socket: Int32, slot: Int, reactor: Reactor) {
        self.serial = serial
        self.socket = socket
        self.slot = slot
        self.reactor = reactor
    }

    // MARK: Events

    /// Runs the first script, before anything is read.
    func begin(_ steps: [Step]) {
        start(steps)
        pump()
    }

    func socketIsReady(_ readiness: Poller.Readiness, buffer: inout [UInt8]) {
        let hasEnded = !readiness.isDisjoint(with: .failed)
        if hasEnded || readiness.contains(.readable) {
            receive(into: &buffer)
        } else if !readiness.isDisjoint(with: .peerFinished) {
            peerHasFinished = true
        }
        pump()
        // Neither direction works any more, so the loop reads the remaining bytes and closes.
        while hasEnded, phase != .closed {
            if wantsToRead, !peerHasFinished {
                receive(into: &buffer)
                pump()
            } else {
                close()
            }
        }
    }

    func timerFired(_ token: Int) {
        guard wait == .timer(token) else { return }
        wait = nil
        if phase == .discarding {
            close()
        } else {
            pump()
        }
    }

    func gateOpened() {
        guard case .gate = wait else { return }
        wait = nil
        pump()
    }

    // MARK: Sending and closing

    func enqueue(_ bytes: [UInt8]) {
        guard !hasEndedSending else { return }
        output.append(bytes)
    }

    /// Ends the sending direction; the connection discards all bytes that arrive later.
    func endSending() {
        guard !hasEndedSending else { return }
        Sockets.finishSending(socket)
        hasEndedSending = true
        ignoresBody = false
        input.removeAll()
    }

    func close(reset: Bool = false) {
        guard phase != .closed else { return }
        if phase == .body {
            recordRequest(isBodyComplete: false)
        }
        phase = .closed
        if case .gate(let gate) = wait {
            reactor.core.update { $0.removeHeld(serial, from: gate) }
        }
        Sockets.end(socket, reset: reset)
        reactor.remove(self)
    }

    // MARK: Moving bytes

    private var wantsToRead: Bool {
        switch phase {
        case .head, .body, .finishing, .discarding: true
        case .script: !ignoresBody && (hasEndedSending || drainsBody || input.count < Self.largestBacklog)
        case .stalled: !ignoresBody
        case .closed: false
        }
    }

    private var discardsInput: Bool {
        hasEndedSending || phase == .stalled
    }

    private func receive(into buffer: inout [UInt8]) {
        guard wantsToRead, !peerHasFinished else { return }
        switch Sockets.receive(from: socket, into: &buffer) {
        case .bytes(let count):
            if !discardsInput {
                input.append(count, of: buffer)
            }
        case .wouldBlock:
            break
        case .end:
            peerHasFinished = true
        case .failed:
            peerHasFinished = true
            hasFailed = true
        }
    }

    /// Does all work that is possible now, then sets the events to wait for.
    private func pump() {
        var budget = Self.largestTurn
        while phase != .closed {
            let hasParsed = parse()
            let hasAdvanced = advance()
            let hasFlushed = flush(&budget)
            guard hasParsed || hasAdvanced || hasFlushed else { break }
        }
        guard phase != .closed else { return }
        // A step that is neither waiting nor done has used up its turn and continues when the socket is writable.
        let isBusy = !output.isEmpty || phase == .script && wait == nil
        if hasFailed || peerHasFinished && !isBusy {
            close()
            return
        }
        var interest: Poller.Readiness = []
        if !peerHasFinished {
            interest.formUnion(wantsToRead ? .readable : .peerFinished)
        }
        if isBusy {
            interest.formUnion(.writable)
        }
        reactor.setInterest(interest, of: self)
    }

    /// Writes queued bytes, and returns whether there is room for more.
    private func flush(_ budget: inout Int) -> Bool {
        guard !output.isEmpty, !hasFailed else { return false }
        while !output.isEmpty, budget > 0 {
            switch output.write(with: { bytes, start in
                reactor.core.send { Sockets.transmit(bytes, from: start, to: socket) }
            }) {
            case .bytes(let count): budget -= count
            case .wouldBlock, .end:
                return false
            case .failed:
                hasFailed = true
                return false
            }
        }
        return output.isEmpty && budget > 0
    }
}
