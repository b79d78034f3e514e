extension Connection {
    private static let largestBlock = 1 << 16
    private static let lingering = Duration.seconds(2)

    func start(_ steps: [Step]) {
        self.steps = steps
        stepIndex = 0
        phase = .script
    }

    /// Runs steps until one has to wait, and returns whether any step ran.
    func advance() -> Bool {
        var hasAdvanced = false
        while phase == .script, wait == nil {
            guard stepIndex < steps.count else {
                guard output.isEmpty else { return hasAdvanced }
                finishScript()
                return true
            }
            if awaitsMessages { return hasAdvanced }
            guard run(steps[stepIndex].kind) else { return hasAdvanced }
            hasAdvanced = true
        }
        return hasAdvanced
    }

    /// Runs a step, or returns `false` if queued bytes have to be sent first.
    private func run(_ kind: Step.Kind) -> Bool {
        switch kind {
        case .send(let bytes):
            enqueue(bytes)
            nextStep()
            return true
        case .respond(let response):
            respond(response)
            return true
        case .echo:
            respond(.echo(of: request))
            return true
        case .echoRequest:
            respond(.echoRequest(request))
            return true
        default:
            guard output.isEmpty else { return false }
            runAlone(kind)
            return true
        }
    }

    /// Runs a step that starts only after all earlier bytes were sent.
    private func runAlone(_ kind: Step.Kind) {
        switch kind {
        case .sleep(let duration):
            nextStep()
            wait = .timer(reactor.schedule(after: duration, for: self))
        case .hold(let gate):
            nextStep()
            if reactor.core.update({ $0.hold(serial, at: gate) }) {
                wait = .gate(gate)
            }
        case .loop(let bytes, let count, let pause):
            sendCopies(of: bytes, count: count, pause: pause)
        case .closeWrite:
            nextStep()
            endSending()
        case .close:
            beginClosing()
        case .reset:
            close(reset: true)
        case .stall:
            stall()
        case .drainBody:
            ignoresBody = false
            nextStep()
        case .webSocket(let step):
            run(step)
        case .ignoreBody, .send, .respond, .echo, .echoRequest:
            nextStep()
        }
    }

    func nextStep() {
        stepIndex += 1
        copiesSent = 0
        repeatedBlock = []
    }

    private func respond(_ response: ResponseTemplate) {
        for bytes in response.bytes(answering: request) {
            enqueue(bytes)
        }
        nextStep()
    }

    private func sendCopies(of bytes: [UInt8], count: Int?, pause: Duration?) {
        let remaining = count.map { $0 - copiesSent } ?? .max
        guard remaining > 0 else {
            nextStep()
            return
        }
        if let pause {
            enqueue(bytes)
            copiesSent += 1
            if remaining > 1 {
                wait = .timer(reactor.schedule(after: pause, for: self))
            }
            return
        }
        if bytes.isEmpty || hasEndedSending {
            // Without bytes, the loop would neither fill the queue nor yield to other connections.
            if count == nil {
                stall()
            } else {
                nextStep()
            }
            return
        }
        let copies = min(remaining, max(1, Self.largestBlock / bytes.count))
        if repeatedBlock.count != copies * bytes.count {
            repeatedBlock = copies == 1 ? bytes : Array(repeatElement(bytes, count: copies).joined())
        }
        enqueue(repeatedBlock)
        copiesSent = count == nil ? 0 : copiesSent + copies
    }

    private func stall() {
        phase = .stalled
        input.removeAll()
    }

    /// Ends the sending direction, and gives the client time to read the rest and close.
    func beginClosing() {
        endSending()
        phase = .discarding
        wait = .timer(reactor.schedule(after: Self.lingering, for: self))
    }

    private func finishScript() {
        if isWebSocket {
            // No other request follows on the connection.
            beginClosing()
        } else if hasEndedSending {
            phase = .discarding
        } else if request?.keepsConnectionAlive == false {
            beginClosing()
        } else {
            ignoresBody = false
            if drainsBody {
                phase = .finishing
            } else {
                awaitRequest()
            }
        }
    }
}
