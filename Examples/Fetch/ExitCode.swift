/// The exit status: that of curl for the same failure, if curl has one.
enum ExitCode: Int32, CaseIterable {
    case success = 0
    case unsupportedProtocol = 1
    case usage = 2
    case badURL = 3
    case notSupported = 4
    case proxyNotResolved = 5
    case notResolved = 6
    case notConnected = 7
    case malformed = 8
    case partial = 18
    case status = 22
    case notWritten = 23
    case notRead = 26
    case timeout = 28
    case tls = 35
    case tooManyRedirects = 47
    case noAnswer = 52
    case connectionLost = 56
    case clientCertificate = 58
    case certificate = 60
    case decompression = 61
    case tooLarge = 63
    case authorities = 77
    case pin = 90
    case certificateStatus = 91
    case http2 = 92
    case proxy = 97
    /// A failure that curl has no number for.
    case other = 99
    /// Ctrl-C: 128 and the number of SIGINT.
    case cancelled = 130

    /// What it means, in a few words.
    var meaning: String {
        switch self {
        case .success: "success"
        case .unsupportedProtocol: "scheme is not spoken"
        case .usage: "options make no sense"
        case .badURL: "bad URL"
        case .notSupported: "it is not supported"
        case .proxyNotResolved: "proxy's name unknown"
        case .notResolved: "host's name unknown"
        case .notConnected: "no connection"
        case .malformed: "response is no HTTP"
        case .partial: "body is incomplete"
        case .status: "status of 400 or more"
        case .notWritten: "cannot be written"
        case .notRead: "file cannot be read"
        case .timeout: "took too long"
        case .tls: "TLS failed"
        case .tooManyRedirects: "too many redirects"
        case .noAnswer: "no answer"
        case .connectionLost: "connection lost"
        case .clientCertificate: "client's certificate"
        case .certificate: "certificate untrusted"
        case .decompression: "broken compression"
        case .tooLarge: "body is too large"
        case .authorities: "--cacert unusable"
        case .pin: "wrong key (pin)"
        case .certificateStatus: "certificate revoked"
        case .http2: "HTTP/2 or HTTP/3 failed"
        case .proxy: "proxy refused"
        case .other: "anything else"
        case .cancelled: "Ctrl-C or SIGTERM"
        }
    }

    /// All of them, in two columns.
    static var table: String {
        let cells = allCases.map { code in
            let number = "\(code.rawValue)"
            return String(repeating: " ", count: 5 - number.count) + number + "  " + code.meaning
        }
        let half = (cells.count + 1) / 2
        let rows = (0..<half).map { row in
            guard row + half < cells.count else { return cells[row] }
            return cells[row] + String(repeating: " ", count: max(1, 36 - cells[row].count)) + cells[row + half]
        }
        return rows.joined(separator: "\n")
    }
}
