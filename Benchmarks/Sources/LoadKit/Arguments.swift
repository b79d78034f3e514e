/// Arguments in the form `name=value`.
package struct Arguments: Sendable {
    private let values: [String: String]

    package init(_ arguments: some Sequence<String>) {
        var values: [String: String] = [:]
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        }
        self.values = values
    }

    package func text(_ name: String) throws -> String {
        guard let value = values[name] else { throw LoadError("\(name)=… is missing") }
        return value
    }

    package func has(_ name: String) -> Bool { values[name] != nil }

    package func number<Number: LosslessStringConvertible>(_ name: String, _ fallback: Number) throws -> Number {
        guard let value = values[name] else { return fallback }
        guard let number = Number(value) else { throw LoadError("\(name)=\(value) is no number") }
        return number
    }
}
