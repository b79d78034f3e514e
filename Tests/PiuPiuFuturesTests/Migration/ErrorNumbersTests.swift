import Foundation
import PiuPiuAsync
import Testing

/// The table "Errors in logs" of MIGRATION.md has the numbers that errors have.
struct ErrorNumbersTests {
    private static let codes: [(old: URLError.Code, new: [TransportError.Code])] = [
        (.badURL, [.invalidURL]),
        (.timedOut, [.timeout(.connect), .timeout(.head), .timeout(.idle), .timeout(.total)]),
        (.unsupportedURL, [.unsupportedScheme]),
        (.cannotFindHost, [.cannotResolveHost]), (.dnsLookupFailed, [.cannotResolveHost]),
        (.cannotConnectToHost, [.cannotConnect]), (.notConnectedToInternet, [.cannotConnect]),
        (.networkConnectionLost, [.connectionLost, .truncatedBody]),
        (.httpTooManyRedirects, [.tooManyRedirects, .redirectLoop]),
        (.badServerResponse, [.malformedHead]), (.cannotParseResponse, [.malformedHead]),
        (.cannotDecodeRawData, [.malformedBody]), (.cannotDecodeContentData, [.malformedBody]),
        (.dataLengthExceedsMaximum, [.headTooLarge, .bodyTooLarge]),
        (.secureConnectionFailed, [.tls]), (.clientCertificateRequired, [.tls]),
    ]

    @Test func theNumbersAreThoseOfTheErrors() throws {
        let document = try String(contentsOf: MigrationSystem.root.appending(path: "MIGRATION.md"), encoding: .utf8)
        let tables = try #require(MarkdownTable.tables(of: document, below: "What behaves differently"))
        let rows = try #require(tables.first { $0.header.first == "`URLError.Code`" }).rows
        for (old, new) in Self.codes {
            let was = "\(old.rawValue)".replacing("-", with: "\u{2212}")
            let row = try #require(rows.first { $0[1].contains(was) }, "\(was)")
            for code in new {
                let error = TransportError(code, reason: "") as NSError
                #expect(error.domain == "PiuPiuAsync.TransportError")
                #expect(row[2].contains("`\(code)`".replacing("(", with: "(.")), "\(code)")
            }
            #expect(row[3] == new.map { "\((TransportError($0, reason: "") as NSError).code)" }.joined(separator: ", "))
        }
    }
}
