import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// Any JSON.
enum JSON: Codable, Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// The samples of JSON whose shape is not known.
@Suite(.timeLimit(.generous))
struct UnknownJSONSamplesTests {
    private static let text = #"{"a_b":[1,true,null,"x",{}],"theme":"dark"}"#

    private let api: URLRequestDispatcher = {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = Fixture.url("https://example.com")
        configuration.requestDefaults.decoder.keyDecodingStrategy = .convertFromSnakeCase
        let answer = MockAnswer(.ok, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
        let mock = MockTransport(answers: [answer], afterLast: .repeatLast)
        return URLRequestDispatcher(configuration: configuration, transport: mock)
    }()

    @Test func objects() async throws {
        let print = Printed()
        let response = try await api.get("/settings")
        let settings = try response.decodeJSONObject() as? [String: Any]
        print(settings?["theme"] ?? "none", response.data?.count ?? 0)

        #expect(print.lines == ["dark \(Self.text.utf8.count)"])
    }

    @Test func aTypeForAnyJSON() async throws {
        let value: JSON = try await api.get("/settings")
        let list = JSON.array([.number(1), .bool(true), .null, .string("x"), .object([:])])
        #expect(value == .object(["a_b": list, "theme": .string("dark")]))
        #expect(try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(value)) == value)
    }
}
