// swift-format-ignore-file
// The extensions of the document, as printed, with stand-ins for the libraries.

import PiuPiuClassic
import Testing

// Block 30
extension BasicRequest {
    /// Add JSON body to the request from a `BaseMappable` object.
    ///
    /// - Parameters:
    ///   - mappable: The `BaseMappable` object to serialize into JSON.
    ///   - context: The context of the mapping object
    ///   - shouldIncludeNilValues: Wether or not we should serialize nil values into the json object
    mutating func setJSONBody<T: BaseMappable>(mappable: T, context: MapContext? = nil, shouldIncludeNilValues: Bool = false) {
        let mapper = Mapper<T>(context: context, shouldIncludeNilValues: shouldIncludeNilValues)

        guard let jsonString = mapper.toJSONString(mappable) else {
            return
        }

        self.setJSONBody(string: jsonString)
    }

    /// Add JSON body to the request from a `BaseMappable` array.
    ///
    /// - Parameters:
    ///   - mappable: The `BaseMappable` array to serialize into JSON.
    ///   - context: The context of the mapping object
    ///   - shouldIncludeNilValues: Wether or not we should serialize nil values into the json object
    mutating func setJSONBody<T: BaseMappable>(mappable: [T], context: MapContext? = nil, shouldIncludeNilValues: Bool = false) {
        let mapper = Mapper<T>(context: context, shouldIncludeNilValues: shouldIncludeNilValues)

        guard let jsonString = mapper.toJSONString(mappable) else {
            return
        }

        self.setJSONBody(string: jsonString)
    }
}

// Block 31
extension BasicRequest {
    /// Add body to the request from a `MapEncodable` object.
    ///
    /// - Parameters:
    ///   - mapEncodable: The `MapEncodable` object to serialize into JSON.
    ///   - options: Writing options for serializing the `MapEncodable` object.
    /// - Throws: Any serialization errors thrown by `MapCodableKit`.
    mutating public func setJSONBody<T: MapEncodable>(mapEncodable: T, options: JSONSerialization.WritingOptions = []) throws {
        ensureJSONContentType()
        self.httpBody = try mapEncodable.jsonData(options: options)
    }
}

// Block 32
extension ResponseInterface where T == Data? {

    /// Attempt to Decode the response data into an BaseMappable object.
    ///
    /// - Parameters:
    ///   - type: The mappable type to decode
    ///   - context: The Base mappable object
    /// - Returns: The decoded object
    /// - Throws: `SerializationError`
    func decodeMappable<D: BaseMappable>(_ type: D.Type, context: MapContext? = nil) throws  -> D {
        let jsonString = try self.decodeString()
        let mapper = Mapper<D>(context: context)

        guard let result = mapper.map(JSONString: jsonString) else {
            throw SerializationError.failedToDecodeResponseData(cause: nil)
        }

        return result
    }

    /// Attempt to decode the response data into a BaseMappable array.
    ///
    /// - Parameters:
    ///   - type: The array type to decode
    ///   - context: The Base mappable object
    /// - Returns: The decoded array
    /// - Throws: `SerializationError`
    func decodeMappable<D: BaseMappable>(_ type: [D].Type, context: MapContext? = nil) throws  -> [D] {
        let jsonString = try self.decodeString()
        let mapper = Mapper<D>(context: context)

        guard let result = mapper.mapArray(JSONString: jsonString) else {
            throw SerializationError.failedToDecodeResponseData(cause: nil)
        }

        return result
    }

    /// Attempt to decode the response data into a BaseMappable array.
    ///
    /// - Parameters:
    ///   - type: The dictionary type to decode
    ///   - context: The Base mappable object
    /// - Returns: The decoded array
    /// - Throws: `SerializationError`
    func decodeMappable<D: BaseMappable>(_ type: [String: D].Type, context: MapContext? = nil) throws  -> [String: D] {
        let jsonString = try self.decodeString()
        let mapper = Mapper<D>(context: context)

        guard let result = mapper.mapDictionary(JSONString: jsonString) else {
        throw SerializationError.failedToDecodeResponseData(cause: nil)
        }

        return result
    }

    /// Attempt to decode the response data into a BaseMappable array.
    ///
    /// - Parameters:
    ///   - type: The dictionary of arrays type to decode
    ///   - context: The Base mappable object
    /// - Returns: The decoded array
    /// - Throws: `SerializationError`
    func decodeMappable<D: BaseMappable>(_ type: [String: [D]].Type, context: MapContext? = nil) throws  -> [String: [D]] {
        let jsonObject = try self.decodeJSONObject()
        let mapper = Mapper<D>(context: context)

        guard let result = mapper.mapDictionaryOfArrays(JSONObject: jsonObject) else {
            throw SerializationError.failedToDecodeResponseData(cause: nil)
        }

        return result
    }
}

// Block 33
extension ResponseInterface where T == Data? {

    /// Attempt to deserialize the response data into a MapDecodable object.
    ///
    /// - Parameters:
    ///   - type: The map decodable type to decode
    /// - Returns: The decoded object
    /// - Throws: `SerializationError`
    func decodeMapDecodable<D: MapDecodable>(_ type: D.Type) throws -> D {
        let data = try self.unwrapData()

        do {
            // Attempt to deserialize the object.
            return try D(jsonData: data)
        } catch {
            // Wrap this error so that we're controlling the error type and return a safe message to the user.
            throw SerializationError.failedToDecodeResponseData(cause: error)
        }
    }

    /// Attempt to decode the response data into a MapDecodable array.
    ///
    /// - Parameters:
    ///   - type: The map decodable array type to decode
    /// - Returns: The map decodable array
    /// - Throws: `SerializationError`
    func decodeMapDecodable<D: MapDecodable>(_ type: [D].Type) throws  -> [D] {
        let data = try self.unwrapData()

        do {
            // Attempt to deserialize the object.
            return try D.parseArray(jsonData: data)
        } catch {
            // Wrap this error so that we're controlling the error type and return a safe message to the user.
            throw SerializationError.failedToDecodeResponseData(cause: error)
        }
    }
}

struct ExtensionSamplesTests {
    private let url = URL(string: "https://example.com")!

    private func response(_ json: String) async throws -> Response<Data?> {
        let dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .ok)
        dispatcher.setMockData(jsonString: json)
        return try await dispatcher.future(from: BasicRequest(method: .get, path: "/posts")).fetchResult()
    }

    @Test func objectMapperEncodes() {
        var request = BasicRequest(method: .post, path: "/posts")
        request.setJSONBody(mappable: MappablePost(id: 7))
        #expect(request.httpBody == Data(#"{"id":7}"#.utf8))
        request.setJSONBody(mappable: [MappablePost(id: 7)], context: nil, shouldIncludeNilValues: true)
        #expect(request.httpBody == Data(#"[{"id":7}]"#.utf8))
        #expect(request.headers == ["Content-Type": "application/json"])
    }

    @Test func mapCodableKitEncodes() throws {
        var request = BasicRequest(method: .post, path: "/posts")
        try request.setJSONBody(mapEncodable: MapPost(id: 7))
        #expect(request.httpBody == Data(#"{"id":7}"#.utf8))
        #expect(request.headers == ["Content-Type": "application/json"])
    }

    @Test func objectMapperDecodes() async throws {
        let post = MappablePost(id: 7)
        #expect(try await response(#"{"id":7}"#).decodeMappable(MappablePost.self) == post)
        #expect(try await response(#"[{"id":7}]"#).decodeMappable([MappablePost].self) == [post])
        #expect(try await response(#"{"a":{"id":7}}"#).decodeMappable([String: MappablePost].self) == ["a": post])
        #expect(try await response(#"{"a":[{"id":7}]}"#).decodeMappable([String: [MappablePost]].self) == ["a": [post]])
        let wrong = try await response("[]")
        #expect(throws: SerializationError.self) { try wrong.decodeMappable(MappablePost.self) }
    }

    @Test func mapCodableKitDecodes() async throws {
        #expect(try await response(#"{"id":7}"#).decodeMapDecodable(MapPost.self) == MapPost(id: 7))
        #expect(try await response(#"[{"id":7}]"#).decodeMapDecodable([MapPost].self) == [MapPost(id: 7)])
        let wrong = try await response("[]")
        #expect(throws: SerializationError.self) { try wrong.decodeMapDecodable(MapPost.self) }
    }
}
