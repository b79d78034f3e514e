import PiuPiuAsync

extension Runner {
    /// Writes a response to standard output.
    ///
    /// - Parameter job: The job.
    /// - Throws: What went wrong.
    func show(_ job: Job) async throws {
        let response = try await send(job)
        guard let head = response.head else { throw FetchError(.malformed, "The response is no HTTP.") }
        let status = head.statusCode.rawValue
        if arguments.fails, status >= 400 {
            // The rest of the exchange, for its timings.
            _ = try? await response.data.collect(upTo: 64 * 1024)
            throw FetchError(.status, "The server answered \(Summary.status(head.statusCode)): \(job.location)")
        }
        if arguments.showsHead { try write(HeadText.bytes(head, colours)) }
        if arguments.asksForHeadOnly {
            for try await _ in response.data {}
            return
        }
        var sink = BodySink(
            plan: BodySink.Plan(arguments, mediaType: head.firstValue(of: "Content-Type"), colours),
            isNamed: !arguments.outputs.isEmpty
        )
        do {
            for try await chunk in response.data { try write(sink.take(chunk)) }
        } catch {
            // What follows on the terminal begins in a line of its own.
            try? write(sink.finish())
            throw error
        }
        try write(sink.finish())
    }

    /// Sends the request; if it has a body, with a bar until the head of the response arrives.
    private func send(_ job: Job) async throws -> Response<ResponseBody> {
        guard arguments.upload != nil || !arguments.form.isEmpty, !arguments.printsCurl else {
            return try await dispatcher.stream(for: job.request)
        }
        screen.begin(job.index, name: job.name)
        let transfer = Transfer<ResponseBody>(.sending) { reporter in
            try await Job.$reporter.withValue(reporter) { try await dispatcher.stream(for: job.request) }
        }
        do {
            let response = try await follow(transfer, job)
            screen.end(job.index, isSuccess: true) { Summary.sent(response.statusCode, $0, $1) }
            return response
        } catch {
            screen.end(job.index, isSuccess: false) { _, _ in nil }
            throw error
        }
    }

    /// Writes to standard output.
    func write(_ bytes: some Collection<UInt8>) throws {
        guard !arguments.printsCurl else { return }
        let number = Output.write(bytes, to: STDOUT_FILENO)
        guard number == 0 else {
            let reason = number == EPIPE ? "its reader has gone" : String(cString: strerror(number))
            throw FetchError(.notWritten, "Standard output cannot be written: \(reason).")
        }
    }
}
