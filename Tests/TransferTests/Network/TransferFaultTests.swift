import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The stage of a transfer at which something happens to it.
enum TransferStage: String, CaseIterable, Sendable {
    case beforeTheHead, atTheHead, inTheFirstBytes, inTheMiddle, justBeforeTheEnd
}

/// What may happen to a transfer.
enum TransferFault: CaseIterable, Sendable {
    case cancel, drop, throwInTheLoop, serverReset
}

extension TransferNetworkTests {
    /// Whatever happens to a transfer, wherever it is: one outcome, and nothing is left.
    @Suite(.timeLimit(.generous))
    struct TransferFaultTests {
        private struct Objection: Error {}

        /// How a transfer ended for its reader.
        private enum Outcome: Equatable {
            case left, objected, cancelled, failed(TransportError.Code), complete, other(String)

            init(_ error: any Error) {
                self =
                    switch error {
                    case is Objection: .objected
                    case is CancellationError: .cancelled
                    case let error as TransportError: .failed(error.code)
                    default: .other("\(error)")
                    }
            }
        }

        private static let firstBytes = 10
        private static let middle = 1 << 20
        private static let size = 2 << 20

        private let server: LoopbackServer
        private let folder: DownloadFolder
        // No limit may end what a test leaves open.
        private let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.total = .seconds(3600) }

        init() throws {
            server = try LoopbackServer()
            folder = try DownloadFolder()
            try folder.write("file", Data("old".utf8))
        }

        /// A file that comes as far as a stage, and then, when the gate is opened, breaks off or goes on.
        private func script(to stage: TransferStage, _ fault: TransferFault) -> [Step] {
            let block = Data(repeating: 7, count: 1 << 16)
            let pieces: [(TransferStage, [Step])] = [
                (.beforeTheHead, []),
                (.atTheHead, [.head(Self.size)]),
                (.inTheFirstBytes, [.send(block.prefix(Self.firstBytes))]),
                // More than the reader takes before it stops, so that the server is held back.
                (.inTheMiddle, [.send(block.dropFirst(Self.firstBytes)), .repeat(block, count: 24)]),
                (.justBeforeTheEnd, [.repeat(block, count: 6), .send(block.dropFirst())]),
            ]
            let ending: [Step] = fault == .serverReset ? [.hold("here"), .reset] : [.hold("here")]
            var steps: [Step] = []
            for (piece, script) in pieces {
                steps += script
                if piece == stage { steps += ending }
            }
            return steps + [.send(Data([7]))]
        }

        /// How many bytes arrive up to a stage; the reader stops there and waits.
        private func bytes(at stage: TransferStage) -> Int64 {
            switch stage {
            case .beforeTheHead, .atTheHead: 0
            case .inTheFirstBytes: Int64(Self.firstBytes)
            case .inTheMiddle: Int64(Self.middle)
            case .justBeforeTheEnd: Int64(Self.size - 1)
            }
        }

        /// What the reader does when it has come to the stage.
        private func act(_ fault: TransferFault, _ stage: TransferStage, _ here: Gate) async throws -> Bool {
            switch fault {
            case .drop: return false
            case .throwInTheLoop: throw Objection()
            case .cancel, .serverReset:
                // In the middle the reader is slow: it is not waiting for bytes when it happens.
                if stage == .inTheMiddle { try await here.wait() }
                return true
            }
        }

        private func download(_ fault: TransferFault, _ stage: TransferStage, _ here: Gate) async -> Outcome {
            let request = URLRequest(url: server.url("/file"))
            var iterator = dispatcher.download(for: request, to: folder["file"]).progress(every: .zero)
                .makeAsyncIterator()
            var hasActed = false
            do {
                while let event = try await iterator.next() {
                    guard case .progress(let progress) = event else { return .complete }
                    guard !hasActed, progress.bytesReceived >= bytes(at: stage) else { continue }
                    hasActed = true
                    if stage == .beforeTheHead { await server.waitUntilHeld("here") }
                    guard try await act(fault, stage, here) else { return .left }
                }
                return .other("no last event")
            } catch {
                // There is one outcome; an error that the loop itself throws is not one of the transfer.
                if !(error is Objection) {
                    while let again = try? await iterator.next() { return .other("\(again) after \(error)") }
                }
                return Outcome(error)
            }
        }

        private func stream(_ fault: TransferFault, _ stage: TransferStage, _ here: Gate) async -> Outcome {
            do {
                let body = try await dispatcher.stream(for: URLRequest(url: server.url("/file"))).data
                if stage == .atTheHead, try await !act(fault, stage, here) { return .left }
                var iterator = body.makeAsyncIterator()
                var count: Int64 = 0
                var hasActed = stage == .atTheHead || stage == .beforeTheHead
                do {
                    while let chunk = try await iterator.next() {
                        count += Int64(chunk.count)
                        guard !hasActed, count >= bytes(at: stage) else { continue }
                        hasActed = true
                        guard try await act(fault, stage, here) else { return .left }
                    }
                } catch {
                    if !(error is Objection) {
                        while let again = try? await iterator.next() { return .other("\(again) after \(error)") }
                    }
                    throw error
                }
                return .complete
            } catch {
                return Outcome(error)
            }
        }

        @Test(arguments: TransferStage.allCases, TransferFault.allCases)
        func aDownloadHasOneOutcomeAndLeavesNothing(_ stage: TransferStage, _ fault: TransferFault) async throws {
            server.route("/file", script(to: stage, fault))
            let here = Gate()
            let task = Task { await download(fault, stage, here) }
            try await happen(fault, stage, here) { task.cancel() }
            try await check(await task.value, stage, fault)
            #expect(folder.listing == ["file"])
            #expect(folder.data("file") == Data("old".utf8))
        }

        @Test(arguments: TransferStage.allCases, TransferFault.allCases)
        func aStreamHasOneOutcomeAndLeavesNothing(_ stage: TransferStage, _ fault: TransferFault) async throws {
            // Before the head there is nothing to be dropped yet.
            guard stage != .beforeTheHead || fault == .cancel || fault == .serverReset else { return }
            server.route("/file", script(to: stage, fault))
            let here = Gate()
            let task = Task { await stream(fault, stage, here) }
            try await happen(fault, stage, here) { task.cancel() }
            try await check(await task.value, stage, fault)
        }

        /// Lets the fault happen when the transfer has come to the stage.
        private func happen(
            _ fault: TransferFault,
            _ stage: TransferStage,
            _ here: Gate,
            _ cancel: () -> Void
        ) async throws {
            guard fault == .cancel || fault == .serverReset else { return }
            if stage == .inTheMiddle { await here.arrival() } else { await server.waitUntilHeld("here") }
            if fault == .cancel { cancel() }
            if fault == .serverReset {
                server.release("here")
                // A reader that does not read must not keep the server's end from being noticed later.
                if stage == .inTheMiddle { here.open() }
            }
        }

        private func check(_ outcome: Outcome, _ stage: TransferStage, _ fault: TransferFault) async throws {
            let expected: Outcome =
                switch fault {
                case .cancel: .cancelled
                case .drop: .left
                case .throwInTheLoop: .objected
                case .serverReset: .failed(stage == .beforeTheHead ? .connectionLost : .truncatedBody)
                }
            #expect(outcome == expected)
            // A reader that leaves does not wait for the end; the exchange ends soon after.
            while try await dispatcher.exchangeCount() > 0 { try Task.checkCancellation() }
            server.release("here")
            #expect(await server.waitForOpenConnections(atMost: 0))
            await dispatcher.shutdown()
            while folder.openDescriptors > 0 || folder.listing.count > 1 {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }
}
