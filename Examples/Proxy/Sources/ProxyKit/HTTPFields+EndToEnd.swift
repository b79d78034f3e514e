public import HTTPTypes

extension HTTPFields {
    /// The fields that a proxy forwards: all but those that are about the connection they came on (RFC 9110 §7.6.1).
    ///
    /// Left out are the fields that `Connection` names, the fields about framing and connections, which each side has for
    /// itself, and `Host`, which is a part of the request's target. Repeated fields stay apart and in their order.
    public var endToEnd: HTTPFields {
        var named: Set<String> = []
        for value in self[values: .connection] {
            for name in value.split(whereSeparator: { ", \t".contains($0) }) { named.insert(name.lowercased()) }
        }
        return filter { field in
            let name = field.name.canonicalName
            return !Self.hopByHop.contains(name) && !named.contains(name)
        }
    }

    /// Appends a member to a field that is a list (RFC 9110 §5.6.1).
    ///
    /// - Parameters:
    ///   - member: The member.
    ///   - name: The field's name.
    mutating func append(member: String, to name: HTTPField.Name) {
        let before = self[values: name].joined(separator: ", ")
        self[name] = before.isEmpty ? member : "\(before), \(member)"
    }

    /// The names that RFC 9110 §7.6.1 lists, those for a proxy's own credentials, and those that are made anew.
    private static let hopByHop: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "te", "transfer-encoding", "upgrade", "proxy-authenticate",
        "proxy-authorization", "content-length", "expect", "host",
    ]
}
