/// Something that must not happen.
struct Finding: Error, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case crash, hang, timeout
        /// An answer that belongs to another request, or was not asked for.
        case foreign
        /// Something incomplete that was called complete.
        case incomplete
        /// A body, a status or a head other than was sent.
        case different
        /// A good request that failed after a bad response.
        case spoiled
        /// A legal response that failed.
        case refused
        /// An error of a kind that is not documented, or that says something untrue.
        case mistaken
        /// Descriptors or memory that are not given back.
        case leak
    }

    let kind: Kind
    let text: String
}

/// Writes responses so that people and ``Script`` can read them.
enum Escaping {
    /// Bytes as text in quotation marks, a line for each line.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - id: The request whose mark becomes `{m}`.
    /// - Returns: Lines, each in quotation marks.
    static func lines(_ bytes: ArraySlice<UInt8>, id: UInt64) -> [String] {
        var rest = bytes
        var lines: [String] = []
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            lines.append("\"\(escaped(rest[..<end], mark: Marker.bytes(of: id)))\"")
            rest = rest[end...]
        }
        return lines.isEmpty ? ["\"\""] : lines
    }

    private static func escaped(_ line: ArraySlice<UInt8>, mark: [UInt8]) -> String {
        var text = ""
        var rest = line
        while let byte = rest.first {
            if byte == mark[0], rest.starts(with: mark) {
                text += "{m}"
                rest.removeFirst(mark.count)
                continue
            }
            let run = rest.prefix { $0 == byte }.count
            if run >= 40 {
                text += "{\(hexadecimal(byte))*\(run)}"
                rest.removeFirst(run)
                continue
            }
            rest.removeFirst()
            switch byte {
            case 0x0D: text += "\\r"
            case 0x0A: text += "\\n"
            case 0x09: text += "\\t"
            case 0x22, 0x5C, 0x7B: text += "\\" + String(UnicodeScalar(byte))
            case 0x20...0x7E: text += String(UnicodeScalar(byte))
            default: text += "\\x" + hexadecimal(byte)
            }
        }
        return text
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }

    /// The bytes of a line in quotation marks; `nil` if it makes no sense.
    static func bytes(of line: some StringProtocol, id: UInt64) -> [UInt8]? {
        guard line.utf8.count >= 2, line.first == "\"", line.last == "\"" else { return nil }
        var rest = Array(line.utf8.dropFirst().dropLast())[...]
        var bytes: [UInt8] = []
        func number(_ digits: ArraySlice<UInt8>, radix: Int) -> Int? {
            Int(String(decoding: digits, as: UTF8.self), radix: radix)
        }
        while let byte = rest.popFirst() {
            switch byte {
            case 0x7B:
                guard let end = rest.firstIndex(of: 0x7D) else { return nil }
                let content = rest[..<end]
                rest = rest[(end + 1)...]
                if content.elementsEqual("m".utf8) {
                    bytes += Marker.bytes(of: id)
                } else if content.count > 3, let byte = number(content.prefix(2), radix: 16),
                    let count = number(content.dropFirst(3), radix: 10)
                {
                    bytes += repeatElement(UInt8(byte), count: count)
                } else {
                    return nil
                }
            case 0x5C:
                switch rest.popFirst() {
                case 0x72: bytes.append(0x0D)
                case 0x6E: bytes.append(0x0A)
                case 0x74: bytes.append(0x09)
                case 0x78:
                    guard rest.count >= 2, let value = number(rest.prefix(2), radix: 16) else { return nil }
                    bytes.append(UInt8(value))
                    rest = rest.dropFirst(2)
                case let other?: bytes.append(other)
                case nil: return nil
                }
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}

/// Exchanges as text: how findings are printed and how the regression corpus is kept.
///
///     # What happened
///     GET data keep
///     "HTTP/1.1 200 OK\r\n"
///     "Content-Length: 0\r\n"
///     --
///     "\r\n"
///
/// The first line has the method, the way of reading and the ending, and then, if need be, `redirected`, `slow`, `late-reset`,
/// `amount=2`, `legal` if the call has to succeed, and, if the first bytes are written one by one, `singly=20`. A line `--` ends a write. `{m}` is the mark of the request, and `{61*500}` five hundred bytes of 0x61.
/// Several exchanges follow each other on the same dispatcher.
enum Script {
    /// The text of an exchange.
    static func text(of plan: Plan) -> String {
        var first = [plan.method.rawValue, plan.way.rawValue, plan.ending.rawValue]
        if plan.isRedirected { first.append("redirected") }
        if plan.isSlow { first.append("slow") }
        if plan.lateEnding == .reset { first.append("late-reset") }
        if plan.isLegal { first.append("legal") }
        if plan.amount > 0 { first.append("amount=\(plan.amount)") }
        let single = zip(plan.cuts, 1...).prefix { $0 == $1 }.count
        let isSingle = single > 20
        if isSingle { first.append("singly=\(single)") }
        var lines = [first.joined(separator: " ")]
        var start = 0
        for cut in isSingle ? plan.cuts.dropFirst(single) : plan.cuts[...] {
            if start > 0 { lines.append("--") }
            lines += Escaping.lines(plan.bytes[start..<cut], id: plan.id)
            start = cut
        }
        if isSingle, start == 0 { lines += Escaping.lines(plan.bytes[...], id: plan.id) }
        return lines.joined(separator: "\n")
    }

    /// The exchanges of a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - name: Where it comes from.
    ///   - id: The number of the first request; the others count on by two.
    /// - Returns: The exchanges.
    /// - Throws: ``ArgumentError`` if a line makes no sense.
    static func plans(in text: String, name: String, id: UInt64) throws(ArgumentError) -> [Plan] {
        var plans: [Plan] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("\""), var plan = plans.popLast() {
                guard let bytes = Escaping.bytes(of: line, id: plan.id) else { throw ArgumentError("\(name): \(line)") }
                plan.bytes += bytes
                if !plan.cuts.isEmpty { plan.cuts.removeLast() }
                plan.cuts.append(plan.bytes.count)
                plans.append(plan)
            } else if line == "--", let plan = plans.last {
                plans[plans.count - 1].cuts.append(plan.bytes.count)
            } else {
                plans.append(try self.plan(line, name: name, id: id + UInt64(plans.count) * 2))
            }
        }
        for index in plans.indices where plans[index].single > 0 {
            let single = min(plans[index].single, plans[index].bytes.count)
            plans[index].cuts = Array(1...single) + plans[index].cuts.filter { $0 > single }
        }
        return plans
    }

    private static func plan(_ line: Substring, name: String, id: UInt64) throws(ArgumentError) -> Plan {
        let words = line.split(separator: " ").map(String.init)
        guard words.count >= 3, let method = Plan.Method(rawValue: words[0]), let way = Plan.Way(rawValue: words[1]),
            let ending = Plan.Ending(rawValue: words[2])
        else { throw ArgumentError("\(name): \(line)") }
        var plan = Plan(number: 0, id: id, method: method, way: way, ending: ending, origin: name)
        for word in words.dropFirst(3) {
            switch word {
            case "redirected": plan.isRedirected = true
            case "slow": plan.isSlow = true
            case "late-reset": plan.lateEnding = .reset
            case "legal": plan.isLegal = true
            case _ where word.hasPrefix("singly="): plan.single = Int(word.dropFirst(7)) ?? 0
            case _ where word.hasPrefix("amount="): plan.amount = Int(word.dropFirst(7)) ?? 0
            default: throw ArgumentError("\(name): \(word)")
            }
        }
        return plan
    }
}
