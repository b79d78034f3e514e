import TestSupport

/// The responses that mutations start from: what servers may send, and some of what they should not.
enum CorpusEntry: String, CaseIterable, Sendable {
    case length, empty, emptyWithoutFields, large, long, untilClose, untilCloseLarge
    case chunked, chunkedManySmall, chunkedExtensions, chunkedTrailers, chunkedFoldedTrailer
    case noContent, notModified, resetContent, partialContent
    case continues, earlyHints, severalInformational, switchingProtocols
    case foldedFirst, foldedMiddle, foldedLast, foldedAfterInformational, foldedBlank
    case repeatedFields, emptyValues, obsoleteText, manyFields, longField, bareLineFeeds, noReason, statusLineInside
    case gzip, gzipDynamic, gzipFixed, gzipMembers, gzipChunked, gzipUntilClose, deflate, deflateBare, emptyGzip
    case lengthAndChunked, equalLengths, differentLengths, lengthList
    case http10, http10KeepAlive, http09, twoResponses, responseAndNoise, headWithBody
    case movedTo, seeOther, temporaryRedirect, unauthorized, requestTimeout, serverError, closes, upgradeRequired

    struct Draft {
        var bytes: [UInt8]
        var ending: Plan.Ending
    }

    /// Whether lines of it begin with white space.
    var hasFolds: Bool {
        switch self {
        case .foldedFirst, .foldedMiddle, .foldedLast, .foldedAfterInformational, .foldedBlank, .chunkedFoldedTrailer:
            true
        default: false
        }
    }

    /// Whether a client may not refuse it.
    var isLegal: Bool {
        switch self {
        case .statusLineInside, .differentLengths, .lengthAndChunked, .lengthList, .http09, .switchingProtocols: false
        // These may be refused: a field line without end, and what few servers send.
        case .longField, .deflateBare, .resetContent: false
        case .twoResponses, .responseAndNoise, .headWithBody: false
        default: !hasFolds
        }
    }

    /// Makes a response to a request.
    ///
    /// - Parameters:
    ///   - id: The number of the request.
    ///   - random: The generator of sizes.
    /// - Returns: The response, and how the connection ends.
    func make(id: UInt64, _ random: inout SeededRandom) -> Draft {
        let mark = String(decoding: Marker.bytes(of: id), as: UTF8.self)
        let body = "body \(mark) \(String(repeating: "x", count: random.below(120)))"
        let ok = "HTTP/1.1 200 OK\r\nX-Mark: \(mark)\r\n"
        var bytes: [UInt8]
        var ending = Plan.Ending.keep
        if let fixed = withFields(ok, body, mark, &random) ?? withOtherStatus(body, mark) {
            bytes = fixed
        } else if let (compressed, field) = compressed(Array(body.utf8)) {
            let head = "\(ok)Content-Encoding: \(field)\r\n"
            switch self {
            case .gzipChunked:
                bytes = Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8) + Self.chunks(compressed, of: 30)
            case .gzipUntilClose: bytes = Array("\(head)\r\n".utf8) + compressed
            default: bytes = Array("\(head)Content-Length: \(compressed.count)\r\n\r\n".utf8) + compressed
            }
        } else {
            bytes = framed(ok, body, mark, &random)
        }
        switch self {
        case .untilClose, .untilCloseLarge, .http10, .http09, .closes, .gzipUntilClose, .requestTimeout: ending = .close
        default: break
        }
        return Draft(bytes: bytes, ending: ending)
    }

    private static func chunks(_ body: [UInt8], of size: Int, extensions: String = "", trailers: String = "") -> [UInt8]
    {
        var result: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(size)
            rest = rest.dropFirst(size)
            result += Array("\(String(chunk.count, radix: 16))\(extensions)\r\n".utf8) + chunk + [0x0D, 0x0A]
        }
        return result + Array("0\(extensions)\r\n\(trailers)\r\n".utf8)
    }

    private func framed(_ ok: String, _ body: String, _ mark: String, _ random: inout SeededRandom) -> [UInt8] {
        let content = Array(body.utf8)
        let chunked = Array("\(ok)Transfer-Encoding: chunked\r\n\r\n".utf8)
        let length = "Content-Length: \(content.count)\r\n"
        let plain = Array("\(ok)\(length)\r\n".utf8) + content
        switch self {
        case .empty: return Array("\(ok)Content-Length: 0\r\n\r\n".utf8)
        case .emptyWithoutFields: return Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
        case .large, .long, .untilCloseLarge:
            // Larger than the buffer of a connection, and just as large.
            let size = self == .long ? 16_300 + random.below(200) : 60_000 + random.below(200_000)
            let all = content + repeatElement(0x79, count: size - content.count)
            let field = self == .untilCloseLarge ? "" : "Content-Length: \(size)\r\n"
            return Array("\(ok)\(field)\r\n".utf8) + all
        case .untilClose, .closes: return Array("\(ok)Connection: close\r\n\r\n".utf8) + content
        case .chunked: return chunked + Self.chunks(content, of: 1 + random.below(200))
        case .chunkedManySmall: return chunked + Self.chunks(content, of: 1)
        case .chunkedExtensions: return chunked + Self.chunks(content, of: 20, extensions: ";name=\"value\";x")
        case .chunkedTrailers:
            return chunked + Self.chunks(content, of: 50, trailers: "X-Sum: 1\r\nX-Mark: \(mark)\r\n")
        case .chunkedFoldedTrailer: return chunked + Self.chunks(content, of: 50, trailers: "X-Sum: 1\r\n 2\r\n")
        case .lengthAndChunked:
            let chunks = Self.chunks(content, of: 50)
            return Array("\(ok)Content-Length: \(chunks.count)\r\nTransfer-Encoding: chunked\r\n\r\n".utf8) + chunks
        case .equalLengths: return Array("\(ok)\(length)\(length)\r\n".utf8) + content
        case .differentLengths:
            return Array("\(ok)\(length)Content-Length: \(content.count / 2)\r\n\r\n".utf8) + content
        case .lengthList:
            return Array("\(ok)Content-Length: \(content.count), \(content.count)\r\n\r\n".utf8) + content
        case .http10: return Array("HTTP/1.0 200 OK\r\nX-Mark: \(mark)\r\n\r\n".utf8) + content
        case .http10KeepAlive:
            return Array("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\(length)\r\n".utf8) + content
        case .http09: return content + Array("\r\n\r\n\(body)".utf8)
        // A second response that answers the next request, if the connection is used again.
        case .twoResponses: return plain + plain
        case .responseAndNoise: return plain + Array("noise\r\n".utf8)
        default: return plain
        }
    }

    private func withFields(_ ok: String, _ body: String, _ mark: String, _ random: inout SeededRandom) -> [UInt8]? {
        let length = "Content-Length: \(body.utf8.count)\r\n"
        let first = "HTTP/1.1 200 OK\r\n"
        let tail = "\(length)\r\n\(body)"
        switch self {
        case .foldedFirst: return Array("\(first) X-Folded: 1\r\nX-Mark: \(mark)\r\n\(tail)".utf8)
        case .foldedMiddle: return Array("\(ok)X-A: 1\r\n 2\r\n\t3\r\n\(tail)".utf8)
        case .foldedLast: return Array("\(ok)\(length)X-A: 1\r\n  last\r\n\r\n\(body)".utf8)
        case .foldedBlank: return Array("\(ok)X-A:\r\n \r\n 1\r\n\(tail)".utf8)
        case .foldedAfterInformational:
            return Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\(first)\tX-Folded: 1\r\n\(tail)".utf8)
        case .repeatedFields: return Array("\(ok)Set-Cookie: a=1\r\nset-cookie: b=2\r\nSet-Cookie: a=1\r\n\(tail)".utf8)
        case .emptyValues: return Array("\(ok)X-Empty:\r\nX-Blank:   \r\nX-Tab:\t1\t\r\n\(tail)".utf8)
        case .obsoleteText:
            return Array("\(ok)X-Text: caf".utf8) + [0xE9, 0x20, 0xC3, 0xA9, 0x20, 0xFF] + Array("\r\n\(tail)".utf8)
        case .manyFields:
            return Array("\(ok)\((0..<(20 + random.below(200))).map { "X-\($0): \($0)\r\n" }.joined())\(tail)".utf8)
        case .longField:
            return Array("\(ok)X-Long: \(String(repeating: "l", count: 1000 << random.below(8)))\r\n\(tail)".utf8)
        case .bareLineFeeds:
            return Array("HTTP/1.1 200 OK\nX-Mark: \(mark)\nContent-Length: \(body.utf8.count)\n\n\(body)".utf8)
        case .noReason: return Array("HTTP/1.1 200\r\nX-Mark: \(mark)\r\n\(tail)".utf8)
        case .statusLineInside:
            return Array("HTTP/1.1 500 Wrong\r\nHTTP/1.1 200 OK: x\r\nX-Mark: \(mark)\r\n\(tail)".utf8)
        case .continues: return Array("HTTP/1.1 100 Continue\r\n\r\n\(ok)\(tail)".utf8)
        case .earlyHints: return Array("HTTP/1.1 103 Early Hints\r\nX-A: b\r\nX-Mark: \(mark)\r\n\r\n\(ok)\(tail)".utf8)
        case .severalInformational:
            let steps = "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            return Array("\(steps)HTTP/1.1 100 Continue\r\n\r\n\(ok)\(tail)".utf8)
        default: return nil
        }
    }

    private func withOtherStatus(_ body: String, _ mark: String) -> [UInt8]? {
        let tail = "X-Mark: \(mark)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        func response(_ lines: String) -> [UInt8] { Array("HTTP/1.1 \(lines)\r\n\(tail)".utf8) }
        switch self {
        case .noContent: return Array("HTTP/1.1 204 No Content\r\nX-Mark: \(mark)\r\n\r\n".utf8)
        case .notModified: return Array("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\n".utf8)
        case .resetContent: return Array("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n".utf8)
        case .partialContent: return response("206 Partial Content\r\nContent-Range: bytes 0-9/10")
        case .switchingProtocols: return response("101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x")
        case .movedTo: return response("302 Found\r\nLocation: /t/1")
        case .seeOther: return response("303 See Other\r\nLocation: t?a=1#b")
        case .temporaryRedirect: return response("307 Temporary Redirect\r\nLocation: ../t/../t/2")
        case .unauthorized: return response("401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\"")
        case .requestTimeout: return response("408 Request Timeout\r\nConnection: close")
        case .serverError: return response("500 Internal Server Error\r\nRetry-After: 1")
        case .upgradeRequired: return response("426 Upgrade Required\r\nUpgrade: h2c\r\nConnection: upgrade")
        // To HEAD, and to others a response that is not asked for.
        case .headWithBody: return Array("HTTP/1.1 204 No Content\r\n\(tail)".utf8)
        default: return nil
        }
    }

    private func compressed(_ body: [UInt8]) -> (bytes: [UInt8], field: String)? {
        switch self {
        case .gzip, .gzipChunked, .gzipUntilClose: (Deflate.gzip(Deflate.stored(body), of: body, name: "a"), "gzip")
        case .gzipDynamic: (Deflate.gzip(Deflate.dynamic.stream, of: Deflate.dynamic.bytes), "gzip")
        case .gzipFixed: (Deflate.gzip(Deflate.fixed.stream, of: Deflate.fixed.bytes), "gzip")
        case .gzipMembers:
            (
                Deflate.gzip(Deflate.stored(body), of: body)
                    + Deflate.gzip(Deflate.fixed.stream, of: Deflate.fixed.bytes),
                "gzip"
            )
        case .deflate: (Deflate.zlib(Deflate.stored(body), of: body), "deflate")
        case .deflateBare: (Deflate.fixed.stream, "deflate")
        case .emptyGzip: ([], "gzip")
        default: nil
        }
    }
}
