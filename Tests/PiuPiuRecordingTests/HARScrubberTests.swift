import PiuPiuAsync
import TestSupport
import Testing
@testable import PiuPiuRecording

/// Bodies that are not quite what they say they are hide no secret either.
struct HARScrubberTests {
    private let scrubber = HARRedaction.default.scrubber

    private func hasSecret(_ data: Data) -> Bool {
        // In any charset: with its zeros left out.
        Data(data.filter { $0 != 0 }).range(of: Data("s3cr3t".utf8)) != nil
    }

    @Test func aTextThatWasCutOffInsideOfACharacter() {
        let whole = Data(#"{"access_token":"s3cr3t","name":"Grüße"}"#.utf8)
        for count in 0...whole.count {
            for type in ["application/json", "text/plain", "", "application/x-ndjson"] {
                let scrubbed = scrubber.body(whole.prefix(count), type: type, keepsShape: true)
                #expect(!hasSecret(scrubbed), "\(count) \(type)")
            }
        }
    }

    @Test(arguments: [String.Encoding.isoLatin1, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32])
    func otherCharsets(encoding: String.Encoding) throws {
        let names: [String.Encoding: String] = [
            .isoLatin1: "iso-8859-1", .utf16: "utf-16", .utf16LittleEndian: "utf-16le", .utf16BigEndian: "utf-16be",
            .utf32: "utf-32",
        ]
        let data = try #require(#"{"password":"s3cr3t","name":"é"}"#.data(using: encoding))
        let name = try #require(names[encoding])
        let typed = scrubber.body(data, type: "application/json; charset=\(name)", keepsShape: true)
        #expect(!hasSecret(typed))
        let text = try #require(String(data: typed, encoding: encoding))
        #expect(text.contains("é") && text.contains("redacted"))
        // Cut off inside of a character too.
        let cut = data.prefix(data.count - 1)
        #expect(!hasSecret(scrubber.body(cut, type: "application/json; charset=\(name)", keepsShape: true)))
        guard encoding != .utf32 else { return }
        #expect(!hasSecret(scrubber.body(data, type: "application/json", keepsShape: true)))
    }

    @Test func whatOnlyBeginsLikeAWideTextIsLookedThrough() {
        for mark in [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]] {
            let data = Data(mark) + Data(#"{"token":"s3cr3t"}?"#.utf8) + Data([0xD8])
            #expect(!hasSecret(scrubber.body(data, type: "application/json", keepsShape: true)))
        }
    }

    @Test func binaryContentStaysAsItIs() {
        let data = Data([0xFF, 0xD8]) + Data("?token=s3cr3t".utf8)
        #expect(scrubber.body(data, type: "image/jpeg", keepsShape: true) == data)
    }

    @Test func apostrophesAndBackslashesArePartsOfAURL() {
        #expect(scrubber.url("https://h/?password=it's3cr3t&page=2") == "https://h/?password=%3Credacted%3E&page=2")
        #expect(scrubber.url(#"https://h/?token=a\s3cr3t&b=1"#) == "https://h/?token=%3Credacted%3E&b=1")
        let form = scrubber.body(
            Data("token=it's3cr3t&a=1".utf8),
            type: "application/x-www-form-urlencoded",
            keepsShape: false
        )
        #expect(form == Data("token=%3Credacted%3E&a=1".utf8))
    }

    @Test func partsWithoutAHeadAreLookedThrough() {
        let part = "--b\nContent-Type: application/json\n\n{\"access_token\":\"s3cr3t\"}\n--b--"
        #expect(!hasSecret(scrubber.body(Data(part.utf8), type: "multipart/mixed; boundary=b", keepsShape: true)))
        let json = Data(#"{"access_token":"s3cr3t"}"#.utf8)
        #expect(!hasSecret(scrubber.body(json, type: "multipart/x; boundary=b", keepsShape: true)))
    }

    @Test func headersAreFoundHoweverTheyAreSpelled() {
        let names = ["ApiKey", "X-ApiKey", "X-AuthToken", "X_Api_Key", "x-amz-securitytoken", "X_Mine"]
        var entry = HARFixture.entry(
            "https://example.com/",
            headers: HTTPHeaderFields(names.map { HTTPHeaderField(name: $0, value: "s3cr3t") })
        )
        HARRedaction.default.apply(to: &entry, sensitiveHeaders: ["X-Mine"])
        #expect(entry.request.headers.map(\.value) == names.map { _ in "<redacted>" })
    }

    @Test(arguments: ["utf-8", "base64", "gzip"])
    func textsInEncodingsThatAreNotKnownAreNotKept(encoding: String) {
        var entry = HARFixture.entry("https://example.com/")
        entry.response.content.text = "access_token=s3cr3t!"
        entry.response.content.encoding = encoding
        entry.request.postData = HAR.PostData(mimeType: "text/plain", text: "token=s3cr3t!", encoding: encoding)
        HARRedaction.default.apply(to: &entry)
        // What base64 makes of it has no secret in it any more.
        #expect(entry.response.content.text?.contains("s3cr3t") != true || encoding == "base64")
        #expect(entry.request.postData?.text?.contains("s3cr3t") != true || encoding == "base64")
    }

    @Test("A form of many parts takes a time that grows with its length", .timeLimit(.generous))
    func manyParts() {
        let part = "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n1\r\n"
        let secret = "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns3cr3t\r\n"
        let form = Data((String(repeating: part, count: 80_000) + secret + "--b--\r\n").utf8)
        let scrubbed = scrubber.body(form, type: "multipart/form-data; boundary=b", keepsShape: false)
        #expect(scrubbed.count > form.count - 100)
        #expect(!String(decoding: scrubbed, as: UTF8.self).contains("s3cr3t"))
    }

    @Test(.timeLimit(.generous)) func manyQuestionMarksTakeNoLonger() {
        let data = Data(repeating: 0x3F, count: 4 << 20) + Data("=".utf8)
        #expect(scrubber.body(data, type: "text/plain", keepsShape: false) == data)
    }
}
