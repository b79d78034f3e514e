import PiuPiuAsync

extension TransportConformance.Case {
    /// The progress that a reporter receives.
    static let progress: [Self] = [
        .semantics("progress.upload", "All that is sent is told, before the answer comes.", rule) { bench in
            let answer = [PeerStep.wait("answer")] + .response(body: "ok")
            let sizes = [100, 1_000_000]
            for (size, body) in sizes.map({ ($0, RequestBody.data(bytes($0))) })
                + sizes.map({ ($0, RequestBody.stream(pieces(of: bytes($0)), length: Int64($0))) })
            {
                bench.peer.answer("/", with: answer)
                let log = ProgressLog { $0.bytesSent == Int64(size) }
                let transport = try bench.transport
                let upload = Task {
                    try await transport.send(
                        bench.request("/", "PUT") {
                            $0.body = body
                            $0.reporter = log.reporter
                        }
                    )
                }
                await log.isReached.wait()
                bench.peer.open("answer")
                try expect("the body", try await upload.value.text, is: "ok")
                try log.expectCounts(\.bytesSent, \.bytesToSend, total: Int64(size))
            }
        },
        .semantics("progress.download", "What arrives is told while it arrives.", rule) { bench in
            bench.peer.answer(
                "/",
                with: [.head(200), .body(Data("abc".utf8)), .wait("rest"), .body(Data("defg".utf8))]
            )
            let log = ProgressLog { $0.bytesReceived == 3 && $0.bytesToReceive == 7 }
            let transport = try bench.transport
            let download = Task { try await transport.send(bench.request { $0.reporter = log.reporter }) }
            await log.isReached.wait()
            bench.peer.open("rest")
            try expect("the body", try await download.value.text, is: "abcdefg")
            try log.expectCounts(\.bytesReceived, \.bytesToReceive, total: 7)
        },
        .semantics("progress.unknownLength", "A length that is not known is told as none.", rule) { bench in
            let log = ProgressLog()
            let steps: [PeerStep] = [.head(200, announcesLength: false), .body(bytes(50_000))]
            _ = try await bench.response(with: steps) { $0.reporter = log.reporter }
            try log.expectCounts(\.bytesReceived, \.bytesToReceive, total: nil)
            try expect("the count at the end", log.last?.bytesReceived, is: 50_000)
        },
        .semantics("progress.empty", "A request without a body sends nothing.", rule) { bench in
            let log = ProgressLog()
            _ = try await bench.response(with: .response(body: "abc")) { $0.reporter = log.reporter }
            try expect("the bytes that were sent", log.last?.bytesSent, is: 0)
            try expect("the bytes that were received", log.last?.bytesReceived, is: 3)
        },
    ]

    private static let rule = "TransferReporter"
}

/// A log of the reported progress.
private final class ProgressLog: Sendable {
    private let states = Locked<[TransferProgress]>([])
    private let goal: @Sendable (TransferProgress) -> Bool
    /// Sent when the goal is reached.
    let isReached = Signal()

    init(until goal: @escaping @Sendable (TransferProgress) -> Bool = { _ in false }) {
        self.goal = goal
    }

    var last: TransferProgress? { states.withLock { $0.last } }

    var reporter: TransferReporter {
        TransferReporter { change in
            let progress = self.states.withLock { states in
                var progress = states.last ?? TransferProgress(direction: .receiving)
                change(&progress)
                states.append(progress)
                return progress
            }
            if self.goal(progress) { self.isReached.send() }
        }
    }

    /// Checks that the counts only grew, up to a total.
    func expectCounts(
        _ count: KeyPath<TransferProgress, Int64>,
        _ total: KeyPath<TransferProgress, Int64?>,
        total length: Int64?
    ) throws {
        let states = states.withLock { $0 }
        for (before, after) in zip(states, states.dropFirst()) {
            try expect(before[keyPath: count] <= after[keyPath: count], "a count that grows")
        }
        try expect("the total", states.last?[keyPath: total], is: length)
        if let length { try expect("the count at the end", states.last?[keyPath: count], is: length) }
    }
}
