import LoadKit

/// The clients that need nothing but the product and Foundation.
///
/// See ``LoadProgram`` for the arguments. Another client becomes a part of every comparison by a line here:
/// `Benchmarks/run` asks for the names.
@main
struct Main {
    static func main() async {
        let clients: [(name: String, type: any Client.Type)] = [
            ("PiuPiu", PiuPiuClient.self),
            ("PiuPiu on the loop", PiuPiuOnTheLoop.self),
            ("PiuPiu on URLSession", PiuPiuOnURLSession.self),
            ("URLSession", URLSessionClient.self),
        ]
        let socketClients: [(name: String, type: any SocketClient.Type)] = [
            ("PiuPiu", PiuPiuSockets.self),
            ("PiuPiu on the loop", PiuPiuSocketsOnTheLoop.self),
        ]
        await LoadProgram(clients: clients, socketClients: socketClients).run()
    }
}
