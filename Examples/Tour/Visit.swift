import PiuPiuAsync

/// Gets what is at a real address, and shows it.
enum Visit {
    /// Sends the request.
    ///
    /// - Parameter text: What the user typed.
    /// - Returns: Whether there was a response, whatever its status.
    static func run(_ text: String) async -> Bool {
        guard let url = URL(reference: text) else {
            Output.problem("This is not a URL: \(text)")
            return false
        }
        var configuration = URLRequestDispatcher.Configuration()
        configuration.timeouts = Timeouts(connect: .seconds(10), idle: .seconds(20), total: .seconds(60))
        configuration.maximumBufferedBody = 16 * 1024 * 1024
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        let success = await get(url, dispatcher)
        await dispatcher.shutdown()
        return success
    }

    private static func get(_ url: URL, _ dispatcher: URLRequestDispatcher) async -> Bool {
        Output.heading(1, "GET", "try await dispatcher.data(from: url)")
        do {
            show(try await dispatcher.data(from: url))
            return true
        } catch let error as TransportError {
            Output.problem("\nTransportError with the code \(error.code):\n\(error)")
        } catch {
            Output.problem("\n\(type(of: error)): \(error)")
        }
        return false
    }

    private static func show(_ response: Response<Data?>) {
        for redirect in response.history {
            Output.line("redirect", "\(redirect.statusCode.rawValue) to \(redirect.target.absoluteString)")
        }
        Output.line("status", "\(response.head?.httpVersion ?? "") \(Output.words(response.statusCode))")
        if let error = response.httpError { Output.line("httpError", "\(error)") }

        print("\n    response.headers")
        for field in response.headers { Output.text("\(field)") }

        if let metrics = response.metrics {
            print("\n    response.metrics: time from the start of the exchange until …")
            Output.line("name lookup", Output.milliseconds(metrics.nameLookup))
            Output.line("connection", Output.milliseconds(metrics.connect))
            Output.line("TLS", Output.milliseconds(metrics.secureConnect))
            Output.line("first byte", Output.milliseconds(metrics.firstByte))
            Output.line("last byte", Output.milliseconds(metrics.total))
        }
        showBody(response.data)
    }

    private static func showBody(_ data: Data?) {
        guard let data else {
            print("\n    response.data is nil: there is no body.")
            return
        }
        print("\n    response.data: \(data.count) bytes")
        guard let text = String(validating: data, as: UTF8.self) else {
            Output.text("(it is not UTF-8)")
            return
        }
        let shown = text.prefix(600)
        for line in shown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            Output.text(String(line))
        }
        if shown.count < text.count { Output.text("…") }
    }
}
