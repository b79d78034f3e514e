import PiuPiuAsync
import PiuPiuRecording
import Testing

@testable import PiuPiuPolicies
@testable import PiuPiuValues

/// The page of all errors is made from the code; `PIUPIU_WRITE_ERRORS=1` writes it anew.
struct ErrorReferenceTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/PiuPiuAsync/PiuPiuAsync.docc/ErrorReference.md").standardizedFileURL

    @Test func thePageIsMadeFromTheCode() throws {
        let text = Self.text()
        if ProcessInfo.processInfo.environment["PIUPIU_WRITE_ERRORS"] != nil {
            try Data(text.utf8).write(to: Self.page)
        }
        let written = try String(contentsOf: Self.page, encoding: .utf8)
        for (line, expected) in zip(written.split(separator: "\n"), text.split(separator: "\n")) {
            #expect(line == expected, "Run this test with PIUPIU_WRITE_ERRORS=1")
        }
        #expect(written.utf8.count == text.utf8.count, "Run this test with PIUPIU_WRITE_ERRORS=1")
    }

    @Test func everyErrorHasACauseAndARemedy() {
        for section in Self.sections {
            #expect(Set(section.entries.map(\.explanation.number)).count == section.entries.count, "\(section.title)")
            #expect(Set(section.entries.map(\.text)).count == section.entries.count, "\(section.title)")
            for entry in section.entries {
                let explanation = entry.explanation
                #expect(entry.text.count > 5 && !entry.name.isEmpty)
                #expect(explanation.cause.count > 15 && explanation.cause.hasSuffix("."), "\(entry.name)")
                #expect(explanation.remedy.count > 10 && explanation.remedy.hasSuffix("."), "\(entry.name)")
                #expect(explanation.setting != "", "\(entry.name)")
            }
        }
        #expect(Self.sections.reduce(0) { $0 + $1.entries.count } > 110)
    }

    // MARK: The page

    private struct Section {
        let title: String
        let introduction: String
        let entries: [ErrorExplanation.Entry]

        init(_ title: String, _ introduction: String, _ entries: [ErrorExplanation.Entry]) {
            self.title = title
            self.introduction = introduction
            self.entries = entries
        }
    }

    private static func text() -> String {
        var text = """
            # All errors

            What each error says, what usually causes it, and what to try.

            ## Overview

            This page is made from the code: the texts are those that an error has as `description` (with the request, the time
            it took, and the limit that was reached), `failureReason` and `recoverySuggestion`. The number is that of the error
            as an `NSError`, whose domain is the module and the type, such as `PiuPiuAsync.TransportError`; later versions keep
            it. For which error is thrown when, see <doc:Errors>.


            """
        for section in sections {
            text += "## \(section.title)\n\n\(section.introduction)\n\n"
            text += "| Error | Number | Text | Usual cause | What to try | Setting |\n|---|---|---|---|---|---|\n"
            for entry in section.entries {
                let explanation = entry.explanation
                let cells = [
                    "`\(entry.name)`", "\(explanation.number)", entry.text, explanation.cause, explanation.remedy,
                    explanation.setting.map { "`\($0)`" } ?? "",
                ]
                text += "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
            }
            text += "\n"
        }
        return String(text.dropLast())
    }

    private static let sections: [Section] = exchanges + responses + values + policies

    private static let exchanges = [
        Section(
            "TransportError",
            "There is no complete response. `catch TransportError.Code.tls` catches one kind.",
            TransportError.Code.all.map { .init("\($0)", $0.text, $0.explanation) }
        ),
        Section(
            "TLSFailure",
            "``TransportError/tlsFailure`` of an error with the code `tls`, whose number that error has. "
                + "`catch TLSFailure.Kind.expired` catches one kind; see <doc:TLSFailures>.",
            TLSFailure.Kind.all.enumerated().map { index, kind in
                let failure = TLSFailure(kind)
                let cause = "\(failure.description)."
                return .init(
                    "\(kind)",
                    failure.description,
                    ErrorExplanation(index + 1, cause, failure.recoverySuggestion)
                )
            }
        ),
        Section(
            "TransferError",
            "A file, a form or a stream failed, or the response to a download reports a failure.",
            TransferError.Code.all.map { .init("\($0)", $0.text, $0.explanation) }
        ),
        Section(
            "WebSocketError",
            "A WebSocket was not opened, or it ended; see <doc:WebSockets>.",
            WebSocketError.Code.all.map { .init("\($0)", $0.text, $0.explanation) }
        ),
    ]

    private static let responses = [
        Section(
            "UnacceptableResponseError",
            "`validated()` and the functions that decode, such as `get` and `post`, throw it.",
            UnacceptableResponseError.Code.all.map { .init("\($0)", $0.text, $0.explanation) }
        ),
        Section(
            "UndecodableResponseError",
            "`get`, `post` and the other functions that decode throw it.",
            [
                .init(
                    "UndecodableResponseError",
                    "The response cannot be decoded as the type",
                    UndecodableResponseError.explanation
                )
            ]
        ),
        Section(
            "ResponseError",
            "The body of a response is not usable.",
            [
                ("noResponse", .noResponse), ("notHTTPResponse", .notHTTPResponse),
                ("unexpectedEmptyResponse", .unexpectedEmptyResponse),
                ("failedToDecodeDataToString", .failedToDecodeDataToString(encoding: .utf8)),
            ].map { (name: String, error: ResponseError) in
                .init(name, error.description, error.explanation)
            }
        ),
        Section(
            "UnsupportedCharsetError",
            "`decodeText()` throws it.",
            [
                .init(
                    "UnsupportedCharsetError",
                    UnsupportedCharsetError(charset: "iso-2022-kr").description,
                    UnsupportedCharsetError(charset: "iso-2022-kr").explanation
                )
            ]
        ),
        Section(
            "HTTPError",
            "``Response/httpError`` returns it; this module throws none. The number is that of the status code.",
            [
                ("clientError", .clientError(.notFound)), ("serverError", .serverError(.serviceUnavailable)),
                ("invalidStatusCode", .invalidStatusCode(StatusCode(rawValue: 999))),
            ].map { (name: String, error: HTTPError) in
                .init(name, error.failureReason ?? "", error.explanation)
            }
        ),
    ]

    private static let values = [
        Section(
            "RequestPathError",
            "No request can be made from a text such as a path.",
            RequestPathError.Code.all.map { .init("\($0)", $0.text, $0.explanation) }
        ),
        Section(
            "FormEncodingError",
            "A value cannot be encoded as a form.",
            FormEncodingError.Code.all.map { .init("\($0)", $0.text, $0.explanation) }
        ),
        Section(
            "ProxyServerError",
            "A text or arguments do not name a usable proxy.",
            ProxyServerError.Code.all.map { .init("\($0)", "The proxy cannot be used: \($0.text)", $0.explanation) }
        ),
        Section(
            "CookieFileError",
            "A `cookies.txt` cannot be read.",
            CookieFileError.Code.all.map { .init("\($0)", "A line of the cookies.txt \($0.text)", $0.explanation) }
        ),
        Section(
            "AddressBlock.ParsingError",
            "A text is not a block of addresses for a ``RequestGuard``.",
            zip(["address", "prefixLength", "bitsAfterPrefix"], AddressBlock.ParsingError.all).map { name, error in
                .init(name, error.text, error.explanation)
            }
        ),
    ]

    private static let policies = [
        Section(
            "PaginationError",
            "There is a next page that must not be requested.",
            PaginationError.Code.all.map { .init("\($0)", $0.text, $0.explanation) }
        ),
        Section(
            "AuthenticationError",
            "A credential cannot be used as it is, or could not be refreshed.",
            AuthenticationError.Code.all.map { .init("\($0)", $0.text, $0.explanation) }
        ),
        Section(
            "LimitError",
            "A ``RateLimit`` or a ``ConcurrencyLimit`` refused the request; nothing was sent.",
            [LimitError.Limit.rate, .concurrency].flatMap { limit in
                let reasons: [LimitError.Reason] =
                    limit == .rate ? [.queueFull, .deadline, .waitTooLong] : [.queueFull, .waitTooLong]
                return reasons.map { reason in
                    let error = LimitError(
                        limit: limit,
                        reason: reason,
                        origin: nil,
                        wait: nil,
                        target: nil,
                        bound: nil
                    )
                    return ErrorExplanation.Entry("\(limit), \(reason)", "\(error)", error.explanation)
                }
            }
        ),
        Section(
            "CircuitBreaker.OpenError",
            "A ``CircuitBreaker`` refused the request; nothing was sent.",
            [.init("OpenError", "The circuit is open after too many failures", CircuitBreaker.OpenError.explanation)]
        ),
        Section(
            "HARError",
            "A recording of the product `PiuPiuRecording` cannot be read or does not answer a request.",
            HARError.Code.all.map { .init("\($0)", $0.text, $0.explanation) }
        ),
    ]
}
