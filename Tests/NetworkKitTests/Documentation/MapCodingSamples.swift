import NetworkKit

// The sample of `MapEncodableBody`: the line that a user of MapCodableKit adds.

struct Article: MapCodable {
    init(map: Map) throws {}
    func fill(map: Map) throws {}
}

extension Article: MapEncodableBody, MapDecodableBody {}
