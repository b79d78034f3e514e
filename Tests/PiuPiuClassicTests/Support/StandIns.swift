import PiuPiuClassic

// Stand-ins for the libraries of the document's extensions, with what the extensions use.

// MARK: ObjectMapper

protocol MapContext {}

protocol BaseMappable: Codable {}

final class Mapper<N: BaseMappable> {
    init(context: MapContext? = nil, shouldIncludeNilValues: Bool = false) {}

    func toJSONString(_ object: N) -> String? {
        text(of: object)
    }

    func toJSONString(_ array: [N]) -> String? {
        text(of: array)
    }

    func map(JSONString: String) -> N? {
        value(N.self, Data(JSONString.utf8))
    }

    func mapArray(JSONString: String) -> [N]? {
        value([N].self, Data(JSONString.utf8))
    }

    func mapDictionary(JSONString: String) -> [String: N]? {
        value([String: N].self, Data(JSONString.utf8))
    }

    func mapDictionaryOfArrays(JSONObject: Any?) -> [String: [N]]? {
        guard let data = try? JSONSerialization.data(withJSONObject: JSONObject as Any) else { return nil }
        return value([String: [N]].self, data)
    }

    private func text<Value: Encodable>(of value: Value) -> String? {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func value<Value: Decodable>(_ type: Value.Type, _ data: Data) -> Value? {
        try? JSONDecoder().decode(type, from: data)
    }
}

struct MappablePost: BaseMappable, Equatable {
    var id: Int
}

// MARK: MapCodableKit

/// A type that can be encoded.
public protocol MapEncodable: Encodable {}

extension MapEncodable {
    /// Encodes the value.
    ///
    /// - Parameter options: Not used here.
    /// - Returns: The JSON text.
    /// - Throws: The encoder's error.
    public func jsonData(options: JSONSerialization.WritingOptions = []) throws -> Data {
        try JSONEncoder().encode(self)
    }
}

protocol MapDecodable: Decodable {}

extension MapDecodable {
    init(jsonData: Data, encoding: String.Encoding = .utf8) throws {
        self = try JSONDecoder().decode(Self.self, from: jsonData)
    }

    static func parseArray(jsonData: Data) throws -> [Self] {
        try JSONDecoder().decode([Self].self, from: jsonData)
    }
}

struct MapPost: MapEncodable, MapDecodable, Equatable {
    var id: Int
}

// MARK: Alamofire

final class SessionManager {
    struct DataResponse {
        var data: Data?
        var response: HTTPURLResponse?
        var error: Error?
    }

    final class DataRequest {
        let url: URL?

        init(_ url: URL?) {
            self.url = url
        }

        func response(completionHandler: @escaping (DataResponse) -> Void) {
            let url = self.url ?? URL(fileURLWithPath: "/")
            DispatchQueue.global().async {
                if url.path == "/offline" {
                    return completionHandler(DataResponse(error: URLError(.notConnectedToInternet)))
                }
                let status = url.path == "/missing" ? 404 : 200
                let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
                completionHandler(DataResponse(data: Data("{}".utf8), response: response))
            }
        }
    }

    func request(_ urlRequest: URLRequest) -> DataRequest {
        DataRequest(urlRequest.url)
    }
}
