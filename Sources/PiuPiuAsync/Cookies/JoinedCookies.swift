import PiuPiuEngine

/// Takes apart `Set-Cookie` fields that were joined with commas, as `URLSession` does.
enum JoinedCookies {
    /// Returns the fields.
    ///
    /// A comma begins another field if a token and `=` follow, as in `a=1, b=2`, but not in the date of
    /// `a=1; Expires=Fri, 07 Aug 2026 08:04:19 GMT`.
    ///
    /// - Parameter line: The joined fields.
    /// - Returns: At least one field.
    static func split(_ line: [UInt8]) -> [[UInt8]] {
        var fields: [[UInt8]] = []
        var start = 0
        for (index, byte) in line.enumerated() where byte == 0x2C {
            let rest = line[(index + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            let token = rest.prefix(while: \.isTokenCharacter)
            guard !token.isEmpty, token.endIndex < line.endIndex, line[token.endIndex] == 0x3D else { continue }
            fields.append(Array(line[start..<index]))
            start = index + 1
        }
        fields.append(Array(line[start...]))
        return fields
    }
}
