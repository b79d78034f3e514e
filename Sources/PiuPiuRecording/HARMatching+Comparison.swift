import PiuPiuAsync

/// A request to be answered from a recording.
struct HARQuestion: Sendable, Redacted {
    let method: String
    let target: HARTarget
    /// The body; `nil` if the request has none.
    let body: Data?
    /// The method and the URL, without secrets.
    let description: String
    /// The same as the description, so that `dump` shows no secrets and no body.
    var shown: KeyValuePairs<String, Any> { ["description": description] }
    private let headers: [String: String]

    init(method: String, url: String, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.headers = headers
        self.body = body
        target = HARTarget(url)
        description = PrintableText.escape("\(method) \(HARRedaction.default.text(ofURL: url))", limit: .max)
    }

    func value(of name: String) -> String? {
        headers.first { $0.key.isEqualIgnoringASCIICase(to: name) }?.value
    }
}

/// A recorded request, prepared for comparison.
struct HARCandidate: Sendable {
    let index: Int
    let target: HARTarget
    let request: HAR.Request

    init(index: Int, request: HAR.Request) {
        self.index = index
        self.request = request
        target = HARTarget(request.url)
    }
}

extension HARMatching {
    /// Lists the differences between a recorded request and the request to answer, with names only, never values; empty if the
    /// recorded request matches.
    func differences(_ candidate: HARCandidate, _ question: HARQuestion) -> [String] {
        var differences: [String] = []
        if candidate.request.method != question.method { differences.append("the method") }
        if candidate.target.origin != question.target.origin { differences.append("the scheme, host or port") }
        if candidate.target.path != question.target.path { differences.append("the path") }
        differences += queryDifferences(candidate.target.items, question.target.items)
        for name in headers where !isSameHeader(name, candidate.request.headers[name], question.value(of: name)) {
            differences.append("the header field \(name)")
        }
        if comparesBody, !isSameBody(candidate.request, question) { differences.append("the body") }
        return differences
    }

    private func queryDifferences(_ recorded: [HARTarget.Item], _ asked: [HARTarget.Item]) -> [String] {
        let recorded = recorded.filter { !ignoredQueryItems.contains($0.name) }
        let asked = asked.filter { !ignoredQueryItems.contains($0.name) }
        // Items with the same name always keep their order.
        let values = Dictionary(grouping: recorded, by: \.name)
        let others = Dictionary(grouping: asked, by: \.name)
        var seen: Set<String> = []
        let names = (recorded + asked).map(\.name).filter { seen.insert($0).inserted }
        let differing = names.filter { name in
            let (first, second) = (values[name] ?? [], others[name] ?? [])
            return first.count != second.count
                || !zip(first, second).allSatisfy { HARPattern($0.value).matches($1.value) }
        }
        if differing.isEmpty, comparesQueryOrder, recorded.map(\.name) != asked.map(\.name) {
            return ["the order of the query"]
        }
        return differing.map { "the query item \"\($0)\"" }
    }

    private func isSameHeader(_ name: String, _ recorded: String?, _ asked: String?) -> Bool {
        guard let recorded, let asked else { return recorded == nil && asked == nil }
        if recorded.parameter("boundary") != nil, asked.parameter("boundary") != nil {
            // Every form has a different boundary.
            return MediaType(recorded) == MediaType(asked)
        }
        return HARPattern(recorded).matches(asked)
    }

    /// Whether a request has the recorded body, if the recorded body is known.
    func isSameBody(_ recorded: HAR.Request, _ question: HARQuestion) -> Bool {
        let asked = question.body ?? Data()
        guard let postData = recorded.postData else {
            // A tool may record that there was a body without the body itself, which leaves nothing to compare.
            return asked.isEmpty || recorded.bodySize > 0
        }
        if postData.isTruncated { return true }
        if let text = postData.text, !text.isEmpty || postData.params.isEmpty {
            guard let body = postData.data else { return false }
            let comparison = HARBodyComparison(body, type: postData.mimeType)
            return comparison.matches(asked, type: question.value(of: "Content-Type"))
        }
        guard MediaType(postData.mimeType)?.subtype == "x-www-form-urlencoded" else { return true }
        let items = HARTarget.items(String(decoding: asked, as: UTF8.self))
        return items.count == postData.params.count
            && zip(postData.params, items).allSatisfy { param, item in
                // Some tools write names decoded, others do not.
                [param.name, HARTarget.formDecoded(param.name)].contains(item.name)
                    && [param.value, HARTarget.formDecoded(param.value)].contains { HARPattern($0).matches(item.value) }
            }
    }
}
