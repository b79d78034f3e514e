// Requests to the server.
extension ResponseCache {
    /// Sends a request, and stores the response.
    func fetch(
        _ found: Found,
        _ status: CacheStatus,
        _ call: Call,
        _ next: InterceptorChain
    ) async throws -> TransportResponse {
        let ticket = CacheTicket(core.fetches, call.base.resource)
        let requestTime = core.now
        let response = try await next(call.request)
        return await keep(response, found, status, call, ticket, requestTime: requestTime)
    }

    /// Asks the server whether the stored response is still valid.
    func revalidate(
        _ stored: StoredResponse,
        _ found: Found,
        _ reason: CacheStatus.Reason,
        _ call: Call,
        _ next: InterceptorChain
    ) async throws -> TransportResponse {
        var conditional = call.request
        // The response to a HEAD has no body that a 304 could stand for.
        if !call.isHead {
            if let tag = stored.head.entityTag {
                conditional.urlRequest.setValue(tag, forHTTPHeaderField: "If-None-Match")
            }
            if let date = stored.head.lastModified {
                conditional.urlRequest.setValue(date, forHTTPHeaderField: "If-Modified-Since")
            }
        }
        let ticket = CacheTicket(core.fetches, call.base.resource)
        let requestTime = core.now
        let response: TransportResponse
        do {
            response = try await next(conditional)
        } catch let error as TransportError {
            let now = core.now
            guard let status = CacheMachine.staleIfError(call.wanted, stored.head, now: now) else { throw error }
            try Task.checkCancellation()
            return try await Self.serve(stored, status, call, now: now)
        }
        let statusCode = response.head.statusCode
        if CacheMachine.failures.contains(statusCode.rawValue),
            var status = CacheMachine.staleIfError(call.wanted, stored.head, now: core.now)
        {
            response.stream?.discard()
            status.forwardedStatus = statusCode
            return try await Self.serve(stored, status, call, now: core.now)
        }
        guard statusCode == .notModified, !call.isHead, stored.head.hasValidator else {
            return await keep(response, found, CacheStatus(.miss, reason), call, ticket, requestTime: requestTime)
        }
        guard CacheRules.confirms(response.head.headers, stored.head) else {
            // A 304 for another response says nothing.
            response.stream?.discard()
            await core.storage.remove(found.key)
            return try await fetch(found, CacheStatus(.miss, reason, detail: "other-validator"), call, next)
        }
        return try await freshen(stored, by: response, found, reason, call, ticket, requestTime: requestTime)
    }

    /// Returns the stored response after a 304, with the fields of the 304.
    private func freshen(
        _ stored: StoredResponse,
        by response: TransportResponse,
        _ found: Found,
        _ reason: CacheStatus.Reason,
        _ call: Call,
        _ ticket: CacheTicket,
        requestTime: Double
    ) async throws -> TransportResponse {
        let now = core.now
        let fields = response.head.headers
        let merged = CacheRules.merged(fields, into: stored.head, requestTime: requestTime, responseTime: now)
        let isKept = await update(merged, found, call, ticket)
        var status = CacheStatus(.revalidated, reason, timeToLive: merged.freshness.remaining(at: now))
        status.forwardedStatus = .notModified
        status.isStored = isKept
        // Cookies are for the cookie jar, and not for the cache.
        let cookies = fields.filter { $0.name.isEqualIgnoringASCIICase(to: "Set-Cookie") }
        response.stream?.discard()
        var result = response
        result.stream = nil
        result.head = ResponseHead(
            url: response.head.url,
            statusCode: StatusCode(rawValue: merged.statusCode),
            httpVersion: response.head.httpVersion,
            headers: merged.headers + cookies + [status.field],
            metrics: response.head.metrics,
            informational: response.head.informational
        )
        try await Self.fill(&result, with: stored.body, call)
        Self.report(status, call.request)
        return result
    }

    /// Stores a response, or prepares storing it while it is read.
    private func keep(
        _ response: TransportResponse,
        _ found: Found,
        _ status: CacheStatus,
        _ call: Call,
        _ ticket: CacheTicket,
        requestTime: Double
    ) async -> TransportResponse {
        var (response, status) = (response, status)
        guard !call.isHead else {
            await take(head: response.head, found, call, ticket, requestTime: requestTime)
            return Self.with(status, response, call.request)
        }
        let isBodiless = RedirectPolicy.isRedirect(response) && call.request.followsRedirects
        let head = StoredHead(
            statusCode: response.head.statusCode.rawValue,
            httpVersion: response.head.httpVersion,
            headers: CacheRules.storedFields(response.head.headers, isBodiless: isBodiless),
            requestTime: requestTime,
            responseTime: core.now,
            isBodiless: isBodiless
        )
        do throws(CacheRules.Refusal) {
            try CacheRules.check(head)
            try checkSent(response, call)
            let length = isBodiless ? 0 : response.stream?.expectedLength ?? Int64(response.body?.count ?? 0)
            let isUnknown = response.stream != nil && response.stream?.expectedLength == nil
            guard let fill = await begin(head, found, call, ticket, length: isUnknown ? nil : length) else {
                throw .tooLarge
            }
            if let stream = response.stream, !isBodiless {
                let source = CachingSource(reader: stream.reader, fill: fill)
                response.stream = ResponseBody(source, expectedLength: stream.expectedLength)
                status.isStored = true
            } else if response.trailers.isEmpty {
                if !isBodiless, let body = response.body { await fill.write(body) }
                status.isStored = await fill.commit()
            }
        } catch {
            status.detail = status.detail ?? error.rawValue
            // Another response has replaced the stored one, unless it is a temporary failure.
            if found.stored != nil, response.head.statusCode.rawValue < 500 { await core.storage.remove(found.key) }
        }
        return Self.with(status, response, call.request)
    }

    /// Refuses the response to another request than the one that it would be stored for.
    private func checkSent(_ response: TransportResponse, _ call: Call) throws(CacheRules.Refusal) {
        // Some servers send a part with the status of the whole, and a location that is not text cannot be stored.
        guard response.adaptedResponse == nil, response.history.isEmpty,
            !response.head.headers.contains("Content-Range"),
            response.head.bytes(of: "Location").allSatisfy({ $0.allSatisfy { $0 < 0x80 } })
        else { throw .replaced }
        let (sent, seen) = (response.urlRequest, call.request.urlRequest)
        let options = call.request.options
        guard sent.url == seen.url, sent.httpMethod ?? "GET" == "GET",
            CacheKey.credentials(of: keyed(sent), options)
                .elementsEqual(CacheKey.credentials(of: keyed(seen), options), by: ==)
        else { throw .otherCredentials }
    }

    private func begin(
        _ head: StoredHead,
        _ found: Found,
        _ call: Call,
        _ ticket: CacheTicket,
        length: Int64?
    ) async -> CacheFill? {
        guard let names = CacheRules.variedFields(head.headers) else { return nil }
        let key = names.isEmpty ? call.base : call.base.variant(names, of: call.request.urlRequest)
        let index = names.isEmpty || names == found.varied ? nil : (key: call.base, head: StoredHead.variants(names))
        guard let writer = await core.storage.begin(head, for: key, length: length) else { return nil }
        return CacheFill(core, ticket, key, index: index, writer: writer)
    }

    /// Updates the stored response from the response to a HEAD (RFC 9111 §4.3.5).
    private func take(
        head: ResponseHead,
        _ found: Found,
        _ call: Call,
        _ ticket: CacheTicket,
        requestTime: Double
    ) async {
        guard let stored = found.stored?.head, head.statusCode.rawValue == stored.statusCode, ticket.isValid else {
            return
        }
        guard CacheRules.describes(head.headers, stored) else { return await core.storage.remove(found.key) }
        let merged = CacheRules.merged(head.headers, into: stored, requestTime: requestTime, responseTime: core.now)
        _ = await update(merged, found, call, ticket)
    }

    /// Replaces the head of a stored response, and keeps its body; returns `false` if another response has replaced it.
    ///
    /// If `Vary` now names other fields, the response becomes the one for the request's values of these fields.
    private func update(_ head: StoredHead, _ found: Found, _ call: Call, _ ticket: CacheTicket) async -> Bool {
        guard let current = await core.storage.response(for: found.key),
            found.stored?.head.isOfSameBody(as: current.head) == true
        else { return false }
        let isAllowed = (try? CacheRules.check(head)) != nil && ticket.isValid
        guard isAllowed, CacheRules.variedFields(head.headers) == found.varied else {
            // From now on, this key may belong to the names of the fields.
            await core.storage.remove(found.key)
            return isAllowed ? await store(head, current.body, found, call, ticket) : false
        }
        await core.storage.update(head, for: found.key)
        if !ticket.isValid { await core.storage.remove(found.key) }
        return true
    }

    /// Stores a head with a body that was stored before.
    private func store(
        _ head: StoredHead,
        _ body: StoredBody,
        _ found: Found,
        _ call: Call,
        _ ticket: CacheTicket
    ) async -> Bool {
        switch body {
        case .data(let data):
            let fill = await begin(head, found, call, ticket, length: Int64(data.count))
            await fill?.write(data)
            return await fill?.commit() ?? false
        case .stream(let stream):
            let fill = await begin(head, found, call, ticket, length: stream.expectedLength)
            do { for try await chunk in stream { await fill?.write(chunk) } } catch { return false }
            return await fill?.commit() ?? false
        }
    }
}
