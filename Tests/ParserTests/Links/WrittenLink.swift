@testable import PiuPiuAsync

extension LinkParser.Link {
    /// The link by the grammar of RFC 8288 §3, with every value in quotes.
    var written: String {
        let parameters = parameters.map { parameter in
            // Scalars, because a mark that follows a quote makes one character of both.
            let value = parameter.value.unicodeScalars.flatMap { scalar in
                scalar == "\\" || scalar == "\"" ? ["\\", scalar] : [scalar]
            }
            return "; \(parameter.name)=\"\(String(String.UnicodeScalarView(value)))\""
        }
        return "<\(target)>\(parameters.joined())"
    }
}
