import PiuPiuAsync

extension TransportConformance.Case {
    /// Framing: where a body ends.
    static let framing: [Self] = [
        .raw(
            "framing.chunks",
            "Chunks are joined, and their framing left out.",
            "RFC 9112 §7.1",
            chunked + "3\r\nabc\r\n0A\r\n0123456789\r\n001\r\nz\r\n0\r\n\r\n",
            gives: "abc0123456789z"
        ),
        .raw(
            "framing.dribble",
            "Chunks that come byte by byte are the same.",
            "RFC 9112 §7.1",
            .dribble("HTTP/1.1 \(chunked)3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"),
            gives: "abcde"
        ),
        .raw(
            "framing.chunkExtensions",
            "Chunk extensions are left out, long ones too.",
            "RFC 9112 §7.1.1",
            chunked + "3;a=b;c=\"d\"\r\nabc\r\n3;\(String(repeating: "x", count: 4000))\r\ndef\r\n0\r\n\r\n",
            gives: "abcdef"
        ),
        .wire("framing.trailers", "Trailers are not added to the head.", "RFC 9110 §6.5.1") { bench in
            let trailers = "3\r\nabc\r\n0\r\nX-Late: v\r\nContent-Length: 9\r\nSet-Cookie: a=b\r\n\r\n"
            let response = try await bench.response(toScript: [.send("HTTP/1.1 " + chunked + trailers)])
            try expect("the body", response.text, is: "abc")
            for name in ["X-Late", "Content-Length", "Set-Cookie"] {
                try expect(name, response.head.headers[name], is: nil)
            }
            try await bench.expectGoodTransport()
        },
        .raw("framing.noChunks", "A chunked body may be empty.", "RFC 9112 §7.1", chunked + "0\r\n\r\n", gives: nil),
        .raw(
            "framing.close",
            "Without a length the body ends with the connection.",
            "RFC 9112 §6.3",
            "200 OK\r\n\r\nabc",
            gives: "abc"
        ),
        .raw(
            "framing.equalLengths",
            "The same length twice is one length.",
            "RFC 9110 §8.6",
            "200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
            gives: "abc"
        ),
        .raw(
            "framing.differentLengths",
            "Two different lengths are refused.",
            "RFC 9112 §6.3",
            "200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde",
            fails: .malformedHead
        ),
        .raw(
            "framing.negativeLength",
            "A negative length is refused.",
            "RFC 9110 §8.6",
            "200 OK\r\nContent-Length: -3\r\n\r\nabc",
            fails: .malformedHead
        ),
        .raw(
            "framing.hugeLength",
            "A length beyond 64 bits is refused.",
            "RFC 9110 §8.6",
            "200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nabc",
            fails: .malformedHead
        ),
        .raw(
            "framing.lengthInWords",
            "A length that is no number is refused.",
            "RFC 9110 §8.6",
            "200 OK\r\nContent-Length: three\r\n\r\nabc",
            fails: .malformedHead
        ),
        .raw(
            "framing.lengthAndChunks",
            "Chunks override a length.",
            "RFC 9112 §6.3",
            "200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n",
            gives: "abcd"
        ),
        .raw(
            "framing.chunkSizeInWords",
            "A chunk size that is no number is refused.",
            "RFC 9112 §7.1",
            chunked + "ZZ\r\nabc\r\n0\r\n\r\n",
            fails: .malformedBody
        ),
        .raw(
            "framing.hugeChunkSize",
            "A chunk size beyond 64 bits is refused.",
            "RFC 9112 §7.1",
            chunked + "ffffffffffffffffff\r\nabc\r\n",
            fails: .malformedBody
        ),
        .raw(
            "framing.chunkWithoutEnd",
            "A chunk that is longer than its size is refused.",
            "RFC 9112 §7.1",
            chunked + "3\r\nabcdef\r\n0\r\n\r\n",
            fails: .malformedBody
        ),
        .wire(
            "framing.bytesAfterTheBody",
            "What follows a body is not taken for the next response.",
            "RFC 9112 §6.3"
        ) { bench in
            let smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
            let script = [Step.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc" + smuggled)]
            try expect("the body", try await bench.response(toScript: script).text, is: "abc")
            try await bench.expectGoodTransport()
        },
    ]

    /// Compressed bodies.
    static let encodings: [Self] = [
        .wire("encodings.gzip", "gzip is decoded where the transport offered it.", "RFC 9110 §8.4") { bench in
            let script = [Step.response(headers: ["Content-Encoding": "gzip"], body: gzip)]
            let response = try await bench.response(toScript: script)
            let offer = try bench.server.requests(for: "/raw").first?.header("Accept-Encoding") ?? ""
            if offer.contains("gzip") {
                try expect("the body", response.body, is: Data(repeating: 0x68, count: 5000))
            } else {
                try expect("the body", response.body, is: gzip)
            }
            try await bench.expectGoodTransport()
        },
        .wire(
            "encodings.callersOwn",
            "Where the caller wrote Accept-Encoding, it is sent, and the body comes as it is.",
            "RFC 9110 §12.5.3"
        ) { bench in
            let script = [Step.response(headers: ["Content-Encoding": "gzip"], body: gzip)]
            let response = try await bench.response(toScript: script, headers: ["Accept-Encoding": "gzip;q=0.5"])
            let offers = try bench.server.requests(for: "/raw").first?.headers.all("Accept-Encoding")
            try expect("Accept-Encoding", offers, is: ["gzip;q=0.5"])
            try expect("the body", response.body, is: gzip)
        },
        .raw(
            "encodings.broken",
            "What is no gzip is a malformed body.",
            "RFC 9110 §8.4.1",
            "200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
            fails: .malformedBody
        ),
        .wire("encodings.limit", "The limit of bodies counts decoded bytes.", "RequestOptions") { bench in
            let script = [Step.response(headers: ["Content-Encoding": "gzip"], body: gzip)]
            try await expectError(.bodyTooLarge) {
                try await bench.response(toScript: script) { $0.options.maximumBufferedBody = 4999 }
            }
            try await bench.expectGoodTransport()
        },
    ]

    private static let chunked = "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// The letter h, 5000 times.
    static var gzip: Data { Data(base64Encoded: "H4sIAAAAAAAC/+3BMQEAAADCoLrrn8AUfkABAAAAAG8DQuEsL4gTAAA=") ?? Data() }
}
