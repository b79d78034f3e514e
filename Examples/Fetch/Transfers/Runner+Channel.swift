import PiuPiuAsync

extension Runner {
    /// Writes a response to a device, a pipe or a descriptor.
    ///
    /// As for a file, a status of 400 or more is a failure, and then nothing is written.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - channel: Where the response goes.
    ///   - path: What the user calls it.
    /// - Throws: What went wrong.
    func pour(_ job: Job, into channel: Place.Channel, _ path: String) async throws {
        let shown = SafeText.line(path)
        screen.begin(job.index, name: job.name, "Downloading \(job.location) to \(shown)")
        do {
            let deadline = arguments.maximumTime.map { ContinuousClock.now + $0 }
            let response = try await dispatcher.stream(for: job.request)
            guard let head = response.head else { throw FetchError(.malformed, "The response is no HTTP.") }
            guard head.statusCode.rawValue < 400 else {
                throw FetchError(.status, "The server answered \(Summary.status(head.statusCode)): \(job.location)")
            }
            if arguments.showsHead { try write(HeadText.bytes(head, colours)) }
            let writer = try await ChannelWriter.open(channel, path, until: deadline)
            try await copy(response, head, to: writer, job, path)
            screen.end(job.index, isSuccess: true) { Summary.saved(shown, $0, $1) }
        } catch {
            screen.end(job.index, isSuccess: false) { _, _ in error is CancellationError ? "Cancelled: \(shown)." : nil
            }
            throw error
        }
    }

    private func copy(
        _ response: Response<ResponseBody>,
        _ head: ResponseHead,
        to writer: ChannelWriter,
        _ job: Job,
        _ path: String
    ) async throws {
        let isTerminal = Terminal.isThere(writer.descriptor)
        let type = head.firstValue(of: "Content-Type")
        // A file has every byte as it is.
        var sink = BodySink(
            plan: BodySink.Plan(arguments, mediaType: type, Colours(isOn: false), isTerminal: isTerminal),
            isNamed: true
        )
        var progress = TransferProgress(direction: .receiving, bytesToReceive: response.data.expectedLength)
        do {
            for try await chunk in response.data {
                try writer.write(sink.take(chunk), path)
                progress.bytesReceived += Int64(chunk.count)
                screen.show(job.index, progress)
            }
        } catch {
            try? writer.write(sink.finish(), path)
            throw error
        }
        try writer.write(sink.finish(), path)
        screen.show(job.index, progress)
    }
}
