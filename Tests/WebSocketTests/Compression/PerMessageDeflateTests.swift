import Testing

@testable import PiuPiuWebSocket

/// The negotiation of the compression (RFC 7692 §5, §7.1).
@Suite struct PerMessageDeflateTests {
    @Test func anOfferNamesOnlyWhatDiffers() {
        let offers: [(PerMessageDeflate, String)] = [
            (PerMessageDeflate(), "permessage-deflate; client_max_window_bits"),
            (PerMessageDeflate(clientMaxWindowBits: nil), "permessage-deflate"),
            (PerMessageDeflate(clientMaxWindowBits: 10), "permessage-deflate; client_max_window_bits=10"),
            (
                PerMessageDeflate(serverNoContextTakeover: true, clientNoContextTakeover: true, serverMaxWindowBits: 9),
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
                    + "server_max_window_bits=9; client_max_window_bits"
            ),
            (
                PerMessageDeflate(serverMaxWindowBits: 1, clientMaxWindowBits: 99),
                "permessage-deflate; server_max_window_bits=8; client_max_window_bits"
            ),
        ]
        for (settings, offer) in offers { #expect(PerMessageDeflate.offer(for: settings) == offer) }
    }

    @Test func answersToTheOfferAreAccepted() throws {
        let plain = PerMessageDeflate()
        let answers: [(String, PerMessageDeflate)] = [
            ("permessage-deflate", plain),
            ("  permessage-deflate\t", plain),
            (",permessage-deflate ,, ", plain),
            ("permessage-deflate; server_no_context_takeover", PerMessageDeflate(serverNoContextTakeover: true)),
            ("permessage-deflate;client_no_context_takeover", PerMessageDeflate(clientNoContextTakeover: true)),
            ("permessage-deflate; server_max_window_bits=8", PerMessageDeflate(serverMaxWindowBits: 8)),
            ("permessage-deflate; server_max_window_bits=15", plain),
            ("permessage-deflate; server_max_window_bits=\"10\"", PerMessageDeflate(serverMaxWindowBits: 10)),
            ("permessage-deflate; server_max_window_bits=\"1\\0\"", PerMessageDeflate(serverMaxWindowBits: 10)),
            ("permessage-deflate; client_max_window_bits = 9", PerMessageDeflate(clientMaxWindowBits: 9)),
            (
                "permessage-deflate; client_max_window_bits=12 ; server_no_context_takeover; "
                    + "client_no_context_takeover ;server_max_window_bits=11",
                PerMessageDeflate(
                    serverNoContextTakeover: true,
                    clientNoContextTakeover: true,
                    serverMaxWindowBits: 11,
                    clientMaxWindowBits: 12
                )
            ),
        ]
        for (answer, expected) in answers {
            #expect(try PerMessageDeflate(acceptedFrom: answer, offered: plain) == expected, "\(answer)")
        }
    }

    @Test func othersAreRefused() {
        let parameters = [
            // §7.1.1
            "server_no_context_takeover=1", "client_no_context_takeover=\"\"", "client_no_context_takeover=true",
            "server_no_context_takeover; server_no_context_takeover",
            "client_no_context_takeover; client_no_context_takeover",
            // §7.1.2
            "server_max_window_bits", "server_max_window_bits=", "server_max_window_bits=7",
            "server_max_window_bits=16", "server_max_window_bits=08", "server_max_window_bits=+9",
            "server_max_window_bits=9.0", "server_max_window_bits=\"\"", "server_max_window_bits=\"9",
            "server_max_window_bits=\" 9\"", "server_max_window_bits=9; server_max_window_bits=9",
            "server_max_window_bits=9 9", "server_max_window_bits=18446744073709551625", "server_max_window_bits=٩",
            "client_max_window_bits", "client_max_window_bits=0", "client_max_window_bits=-8",
            "client_max_window_bits=16", "client_max_window_bits=9;client_max_window_bits=10",
            // §7.1
            "x", "x=1", "Server_No_Context_Takeover", "", " ", "=", "=9", ";", "\"server_no_context_takeover\"",
        ]
        let others = [
            "", " ", ",", "permessage-deflate, permessage-deflate", "permessage-deflate, x", "x, permessage-deflate",
            "x", "permessage-bzip2", "x-webkit-deflate-frame", "permessage-deflate permessage-deflate",
            "permessage-deflat", "permessage-deflate=1", "\"permessage-deflate\"", "; server_no_context_takeover",
            "permessage-deflate; x=\u{0}", "permessage-deflate/1",
        ]
        for answer in parameters.map({ "permessage-deflate; \($0)" }) + others {
            #expect(throws: WebSocketViolation.self, "\(answer)") {
                try PerMessageDeflate(acceptedFrom: answer, offered: PerMessageDeflate())
            }
        }
    }

    @Test func aDemandIsPartOfTheAnswer() throws {
        // §7.1.1.1
        let single = PerMessageDeflate(serverNoContextTakeover: true)
        #expect(throws: WebSocketViolation.self) {
            try PerMessageDeflate(acceptedFrom: "permessage-deflate", offered: single)
        }
        let answer = "permessage-deflate; server_no_context_takeover"
        #expect(try PerMessageDeflate(acceptedFrom: answer, offered: single) == single)
        // §7.1.1.2
        let frugal = PerMessageDeflate(clientNoContextTakeover: true)
        #expect(try PerMessageDeflate(acceptedFrom: "permessage-deflate", offered: frugal) == frugal)
        // §7.1.2.1
        let small = PerMessageDeflate(serverMaxWindowBits: 10)
        for refused in ["", "; server_max_window_bits=11", "; server_max_window_bits=15"] {
            #expect(throws: WebSocketViolation.self) {
                try PerMessageDeflate(acceptedFrom: "permessage-deflate\(refused)", offered: small)
            }
        }
        let smaller = "permessage-deflate; server_max_window_bits=9"
        #expect(try PerMessageDeflate(acceptedFrom: smaller, offered: small).serverMaxWindowBits == 9)
        // §7.1.2.2
        let bits = "permessage-deflate; client_max_window_bits=12"
        for limit in [nil, 8, 11] {
            #expect(throws: WebSocketViolation.self) {
                try PerMessageDeflate(acceptedFrom: bits, offered: PerMessageDeflate(clientMaxWindowBits: limit))
            }
        }
        for limit in [12, 13, 15] {
            let offered = PerMessageDeflate(clientMaxWindowBits: limit)
            #expect(try PerMessageDeflate(acceptedFrom: bits, offered: offered).clientMaxWindowBits == 12)
            let without = try PerMessageDeflate(acceptedFrom: "permessage-deflate", offered: offered)
            #expect(without.clientMaxWindowBits == limit)
        }
        let unasked = PerMessageDeflate(clientMaxWindowBits: nil)
        #expect(try PerMessageDeflate(acceptedFrom: "permessage-deflate", offered: unasked).clientMaxWindowBits == 15)
    }

    @Test func whatIsAgreedIsUsed() throws {
        let agreed = PerMessageDeflate(serverNoContextTakeover: true, clientNoContextTakeover: true)
        let deflater = try #require(agreed.makeDeflater())
        var outputs: [[UInt8]] = []
        for _ in 0..<2 {
            var output: [UInt8] = []
            try Array("Hello".utf8).withUnsafeBytes { try deflater.compress($0, into: &output) }
            outputs.append(output)
        }
        #expect(outputs[0] == outputs[1])
        let reference = frame(0x1, outputs[0], rsv: 4) + frame(0x1, [0xF2, 0x00, 0x11, 0x00, 0x00], rsv: 4)
        #expect(FrameTrace(reference, inflater: agreed.makeInflater()).texts.count == 1)
        #expect(FrameTrace(reference, inflater: PerMessageDeflate().makeInflater()).texts.count == 2)
        #expect(PerMessageDeflate.isAvailable)
    }
}
