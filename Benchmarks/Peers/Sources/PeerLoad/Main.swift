import LoadKit

/// See ``LoadProgram`` for the arguments.
@main
struct Main {
    static func main() async {
        await LoadProgram(clients: [("async-http-client", AsyncHTTPClientPeer.self)]).run()
    }
}
