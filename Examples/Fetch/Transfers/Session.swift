import PiuPiuAsync
import PiuPiuCurl
import PiuPiuRecording

/// All that the command line asks for: makes the dispatcher and the jobs, runs them, and says what became of them.
struct Session {
    private let arguments: Arguments
    private let jobs: [Job]
    private let runner: Runner
    private let recorder: HARRecorder?
    private let jar: CookieJar?
    /// Where the recording goes.
    private let recording: Place?

    /// Prepares everything.
    ///
    /// - Parameters:
    ///   - arguments: What the user asks for.
    ///   - environment: The environment.
    /// - Throws: ``Arguments/Mistake`` or ``FetchError``, before anything is sent.
    init(_ arguments: Arguments, environment: [String: String]) throws {
        self.arguments = arguments
        let destinations = try Destination.all(for: arguments) { Place.isChannel($0) }
            .map { try $0.resolved(arguments) }
        jobs = zip(arguments.urls, destinations).enumerated().map { index, pair in
            Job(index: index, request: RequestPlan.request(pair.0, arguments), destination: pair.1)
        }
        let (claims, recording) = try Self.claim(arguments, jobs)
        self.recording = recording
        let colours = Colours(
            arguments.colour,
            isTerminal: Terminal.isThere(STDERR_FILENO),
            environment: environment
        )
        let screen = Screen(count: jobs.count, isSilent: arguments.isSilent, colours: colours)
        let ledger = Ledger(screen: screen, isVerbose: arguments.isVerbose)
        var configuration = try Settings.configuration(arguments, environment: environment)
        configuration.observers = [ledger]
        jar = try CookiePlan.jar(arguments)
        configuration.cookies = jar
        let body = try BodyPlan(arguments) { path in
            if path == "-" { return try StandardInput.readAll() }
            guard let data = FileManager.default.contents(atPath: path) else {
                throw FetchError(.notRead, "The file cannot be read: \(SafeText.line(path))")
            }
            return data
        }
        recorder = arguments.har.map { _ in HARRecorder() }
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            interceptors: Self.interceptors(arguments, body.makeBody(), recorder, screen, configuration),
            requestAdapters: try Self.credentials(arguments, environment),
            transport: try Self.transport(configuration.transport)
        )
        let output = Colours(arguments.colour, isTerminal: Terminal.isThere(STDOUT_FILENO), environment: environment)
        runner = Runner(
            arguments: arguments,
            dispatcher: dispatcher,
            screen: screen,
            ledger: ledger,
            colours: output,
            claims: Locked(claims)
        )
        Self.warn(arguments, screen)
    }

    /// Runs all jobs.
    ///
    /// - Returns: How it ended.
    func run() async -> ExitCode {
        let failure = await runner.run(jobs)
        await runner.dispatcher.shutdown()
        let screen = runner.screen
        screen.close()
        var code = failure?.code ?? .success
        if let har = arguments.har, let recorder, let recording,
            let problem = await save(recorder, recording, har)
        {
            screen.problem(problem)
            code = code == .success ? problem.code : code
        }
        if let path = arguments.cookieJar, let jar {
            do {
                try CookiePlan.save(jar, to: path)
            } catch {
                screen.problem(error)
                code = code == .success ? error.code : code
            }
        }
        let hasFiles = jobs.contains { $0.destination != .standardOutput }
        if code == .cancelled, !hasFiles { screen.note("Cancelled.") }
        if jobs.count > 1, hasFiles { screen.note(Summary.total(screen.result)) }
        return code
    }

    /// Claims a file for each job and for the recording.
    private static func claim(_ arguments: Arguments, _ jobs: [Job]) throws -> (claims: Claims, recording: Place?) {
        var claims = Claims()
        func claim(_ path: String, _ shown: String, _ job: Int) throws {
            guard claims.claim(Place.canonical(path), for: job) else {
                let text = "Two things would be saved as \(SafeText.line(shown)): name a file for each."
                throw Arguments.Mistake(description: text)
            }
        }
        let recording = try arguments.har.map { try Place.of($0) }
        if case .file(let path)? = recording { try claim(path, arguments.har ?? path, Claims.noJob) }
        if let jar = arguments.cookieJar, jar != "-", case .file(let path) = try Place.of(jar) {
            try claim(path, jar, Claims.cookies)
        }
        for job in jobs {
            if case .file(let file) = job.destination { try claim(file.target ?? file.path, file.path, job.index) }
        }
        return (claims, recording)
    }

    private func save(_ recorder: HARRecorder, _ place: Place, _ path: String) async -> FetchError? {
        do {
            switch place {
            case .file(let path):
                try await recorder.save(to: URL(filePath: path, directoryHint: .notDirectory).absoluteURL)
            case .folder: try await recorder.save(to: URL(filePath: path, directoryHint: .notDirectory).absoluteURL)
            case .channel(let channel):
                let data = try recorder.har.data()
                try await ChannelWriter.open(channel, path).write(data, path)
            }
            return nil
        } catch let error as FetchError {
            return error
        } catch {
            return FetchError(.notWritten, "The HAR file cannot be written: \(error)")
        }
    }

    /// The transport over libcurl for HTTP/3; `nil` for the platform's own.
    private static func transport(_ configuration: TransportConfiguration) throws -> (any HTTPTransport)? {
        #if os(Linux)
        guard configuration.http3 != .never else { return nil }
        return try CurlTransport(configuration: configuration)
        #else
        return nil
        #endif
    }

    /// The policies, outermost first.
    private static func interceptors(
        _ arguments: Arguments,
        _ body: RequestBody?,
        _ recorder: HARRecorder?,
        _ screen: Screen,
        _ configuration: URLRequestDispatcher.Configuration
    ) -> [any Interceptor] {
        var interceptors: [any Interceptor] = [BodyInterceptor(body: body)]
        if let rate = arguments.rate { interceptors.append(Pacing(bytesPerSecond: rate)) }
        if arguments.retries > 0 { interceptors.append(RetryPolicy(retries: arguments.retries, budget: nil)) }
        if let recorder { interceptors.append(recorder) }
        let userAgent = configuration.transport.userAgent
        if arguments.isVerbose {
            interceptors.append(Talk(screen: screen, showsSecrets: arguments.showsSecrets, userAgent: userAgent))
        }
        if arguments.printsCurl {
            interceptors.append(CurlPrinter(showsSecrets: arguments.showsSecrets, userAgent: userAgent))
        }
        return interceptors
    }

    /// Credentials for the servers that the user names, and no others.
    private static func credentials(
        _ arguments: Arguments,
        _ environment: [String: String]
    ) throws -> [any URLRequestAdapter] {
        do {
            if let source = arguments.bearer {
                let token = try source.read("--bearer", environment: environment)
                return [try BearerToken(token, origins: arguments.urls)]
            }
            guard let user = arguments.user else { return [] }
            let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0]
            guard let password = parts.count > 1 ? parts[1] : PasswordPrompt.ask("Password of \(name): ") else {
                throw Arguments.Mistake(description: "There is no terminal to ask for the password of --user.")
            }
            return [try BasicCredentials(user: name, password: password, origins: arguments.urls)]
        } catch let error as AuthenticationError {
            throw Arguments.Mistake(description: "\(error)")
        }
    }

    private static func warn(_ arguments: Arguments, _ screen: Screen) {
        if arguments.isInsecure {
            let text = "Warning: servers are not verified (-k). Anyone on the way can read and change everything."
            screen.styled(screen.colours.paint(text, .bad))
        }
        #if os(Linux)
        if arguments.version == .http3, !CurlTransport.supportsHTTP3 {
            screen.note("This libcurl cannot speak HTTP/3, so HTTP/2 or HTTP/1.1 is used.")
        }
        #endif
    }
}
