import Foundation

/// What a program that measures clients does, whichever they are.
///
///     client=NAME kind=get|post|decode url=URL length=BYTES in-flight=N seconds=S [connections=N] [loops=N] [ca=FILE]
///         [http2] [probe=URL]
///     client=NAME kind=in-flight url=URL length=BYTES count=N batches=N
///     client=NAME kind=download|upload|read url=URL [file=PATH] [length=BYTES] [pause-ms=N]
///     client=NAME kind=echo url=URL length=BYTES sockets=N seconds=S [loops=N] [server=PID]
///     client=NAME kind=idle url=URL count=N [waiting] [loops=N]
///     clients
///     socket-clients
package struct LoadProgram {
    let clients: [(name: String, type: any Client.Type)]
    let socketClients: [(name: String, type: any SocketClient.Type)]

    package init(
        clients: [(name: String, type: any Client.Type)] = [],
        socketClients: [(name: String, type: any SocketClient.Type)] = []
    ) {
        self.clients = clients
        self.socketClients = socketClients
    }

    /// Does what the arguments of the process say; if it fails, ends the process with 1 and with a line that says why.
    package func run() async {
        do {
            let arguments = Arguments(CommandLine.arguments.dropFirst())
            guard !arguments.has("clients") else { return clients.forEach { print($0.name) } }
            guard !arguments.has("socket-clients") else { return socketClients.forEach { print($0.name) } }
            Usage.raiseDescriptorLimit()
            let name = try arguments.text("client")
            if ["echo", "idle"].contains(try arguments.text("kind")) {
                return try await runSockets(name, arguments)
            }
            guard let type = clients.first(where: { $0.name == name })?.type else {
                throw LoadError("no client \(name) here")
            }
            var settings = ClientSettings()
            settings.connections = try arguments.number("connections", 1)
            settings.loops = try arguments.number("loops", 1)
            settings.allowsHTTP2 = arguments.has("http2")
            settings.certificateFile = try? arguments.text("ca")
            settings.body = [UInt8](repeating: UInt8(ascii: "x"), count: 10_240)
            let address = try Address(arguments.text("url"))
            let report: Report
            switch try arguments.text("kind") {
            case "in-flight": report = try await InFlight(arguments).run(type, settings, address)
            case "download", "upload", "read":
                guard let type = type as? any TransferClient.Type else { throw LoadError("\(name) moves no files") }
                report = try await LargeTransfer(arguments).run(type.init(settings), address)
            case let kind: report = try await Load(kind, arguments).run(type.init(settings), address)
            }
            report.with("client", name).print()
        } catch {
            FileHandle.standardError.write(Data("FAILED: \(error)\n".utf8))
            exit(1)
        }
    }

    private func runSockets(_ name: String, _ arguments: Arguments) async throws {
        guard let type = socketClients.first(where: { $0.name == name })?.type else {
            throw LoadError("no client \(name) with WebSockets here")
        }
        var settings = ClientSettings()
        settings.loops = try arguments.number("loops", 1)
        // The warm-up may still be closing its own.
        settings.connections = try max(arguments.number("sockets", 1), arguments.number("count", 1)) + 20
        let address = try Address(arguments.text("url"))
        if try arguments.text("kind") == "idle" {
            try await IdleSockets(arguments).run(type.init(settings), address)
        }
        try await SocketLoad(arguments).run(type.init(settings), address).with("client", name).print()
    }
}
