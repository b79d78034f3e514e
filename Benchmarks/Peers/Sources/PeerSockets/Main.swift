import LoadKit

/// See ``LoadProgram`` for the arguments.
@main
struct Main {
    static func main() async {
        let clients: [(name: String, type: any SocketClient.Type)] = [
            ("NIO", HandlerClient.self), ("NIOAsyncChannel", AsyncChannelClient.self),
        ]
        await LoadProgram(socketClients: clients).run()
    }
}
