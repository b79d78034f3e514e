import NetworkKit

struct Post: Codable, Equatable {
    var id: Int
    var userId: Int
    var title: String
    var body: String

    static let hello = Post(id: 1, userId: 7, title: "Hello", body: "*Hi*")
    static let json = #"{"id":1,"userId":7,"title":"Hello","body":"*Hi*"}"#
}

/// A class without annotations, as models often were.
class User: Codable {
    var id = 7
    var name = "Ada"
}

struct ServerErrorDetails: Codable, Equatable {
    var reason: String
}

/// An error that tests tell apart by its number.
struct Failure: Error, Equatable {
    var number = 0
}

/// As in UIKit.
class UITextField {
    var text: String?
}

// MARK: What MapCodableKit 1.4 has, with the same signatures

class Map {
    var values: [String: Any] = [:]
}

protocol MapEncodable {
    func fill(map: Map) throws
}

protocol MapDecodable {
    init(map: Map) throws
}

typealias MapCodable = MapEncodable & MapDecodable

extension MapEncodable {
    func jsonData(options: JSONSerialization.WritingOptions = []) throws -> Data {
        let map = Map()
        try fill(map: map)
        return try JSONSerialization.data(withJSONObject: map.values, options: options)
    }
}

extension MapDecodable {
    init(jsonData: Data, encoding: String.Encoding = .utf8) throws {
        let map = Map()
        guard let values = try JSONSerialization.jsonObject(with: jsonData) as? [String: Any] else { throw Failure() }
        map.values = values
        try self.init(map: map)
    }

    static func parseArray(jsonData: Data, failOnError: Bool = false) throws -> [Self] {
        let object = try JSONSerialization.jsonObject(with: jsonData)
        guard let values = object as? [[String: Any]] else { throw Failure() }
        return try values.compactMap { values in
            let map = Map()
            map.values = values
            do {
                return try Self(map: map)
            } catch {
                if failOnError { throw error }
                return nil
            }
        }
    }
}

/// A user's type that conforms to MapCodableKit's protocols.
struct MapPost: MapCodable, Equatable {
    var id: Int

    init(id: Int) {
        self.id = id
    }

    init(map: Map) throws {
        guard let id = map.values["id"] as? Int else { throw Failure(number: 5) }
        self.id = id
    }

    func fill(map: Map) throws {
        if id < 0 { throw Failure(number: 6) }
        map.values["id"] = id
    }
}

/// The line that a user adds.
extension MapPost: MapEncodableBody, MapDecodableBody {}
