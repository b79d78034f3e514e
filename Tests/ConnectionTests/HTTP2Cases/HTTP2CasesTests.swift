#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension ConnectionNetworkTests {
    /// The cases of h2spec for clients, over sockets.
    @Suite struct HTTP2CasesTests {
        @Test func eachDifferenceFromTheCasesHasItsReason() {
            #expect(HTTP2Case.all.count == 57)
            #expect(Set(HTTP2Case.all.map(\.testDescription)).count == 57)
            for row in HTTP2Case.all { #expect(row.isMet == (row.reason == nil), "\(row.testDescription)") }
        }

        @Test(arguments: HTTP2Case.all, HTTP2CaseServer.Manner.allCases)
        func theClientDoesWhatTheCaseSays(_ row: HTTP2Case, _ manner: HTTP2CaseServer.Manner) async throws {
            for delivery in Delivery.allCases {
                let server = try HTTP2CaseServer(row, manner)
                let dispatcher = try server.dispatcher()
                let request = URLRequest(url: server.script.urlWithoutTLS("/case"))
                try await expect(row.outcome) { try await dispatcher.receive(request, by: delivery) }
                await server.waitForReaction()

                // The dispatcher goes on, and nothing was sent twice.
                let next = URLRequest(url: server.script.urlWithoutTLS("/next"))
                #expect(try await dispatcher.receive(next, by: delivery) == Received("next"))
                #expect(server.script.requests.map(\.path) == ["/case", "/next"])
                // Without its dispatcher, the connection would close.
                let record = withExtendedLifetime(dispatcher) { server.record.value }
                expect(row, record)
                #expect(server.script.acceptedConnections == (record.isClosed ? 2 : 1))
            }
        }

        /// Expects the whole response, or an error that says what was wrong.
        private func expect(_ outcome: HTTP2Case.Outcome, of request: () async throws -> Received) async throws {
            switch outcome {
            case .response(let body): #expect(try await request() == Received(body))
            case .failure(let code):
                let thrown = try await failure(of: request)
                let error = try #require(thrown as? TransportError, "\(thrown)")
                #expect(error.code == .http2, "\(error)")
                #expect(error.underlyingDescription?.hasSuffix(": \(code.name)") == true, "\(error)")
                #expect(!error.isSafeToRetry)
            }
        }

        /// Expects the client to have sent what belongs to the reaction, and nothing else.
        private func expect(_ row: HTTP2Case, _ record: HTTP2CaseServer.Record) {
            let begin = record.frames[1]?.first
            #expect(begin?.isOf(.settings) == true && begin?.isAcknowledgement == false)
            let goAways = record.first(.goAway).map { HTTP2Frame.number($0.payload[4..<8]) }
            let resets = record.first(.resetStream).map { [$0.stream, HTTP2Frame.number($0.payload)] }
            switch row.reaction {
            case .resetsStream(let code) where !record.isClosed:
                #expect(goAways == [] && resets == [[1, code.rawValue]])
            case .resetsStream(let code), .closesConnection(let code):
                #expect(record.isClosed && goAways == [code.rawValue] && resets == [])
            case .goesOn: #expect(!record.isClosed && goAways == [] && resets == [])
            }
            guard !record.isClosed else { return }
            let frames = row.frames(1).filter { !$0.isAcknowledgement }
            let pings = (frames + [HTTP2CaseServer.last]).filter { $0.isOf(.ping) }
            #expect(record.acknowledgements(.ping).map(\.payload) == pings.map(\.payload))
            // The server's own settings are acknowledged as well.
            #expect(record.acknowledgements(.settings).count == 1 + frames.count { $0.isOf(.settings) })
        }
    }
}

extension HTTP2ErrorCode {
    /// Its name in RFC 9113.
    fileprivate var name: String {
        "\(self)".reduce(into: "") { name, letter in
            if letter.isUppercase { name.append("_") }
            name += letter.uppercased()
        }
    }
}
#endif
