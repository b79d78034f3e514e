import Foundation

/// Sends what the arguments of the process order, and prints a line for each request as soon as its outcome is known.
///
///     17 ok
///     18 wrong STATUS BODY
///     19 error KIND TEXT
///
/// The last line is `end`. A request without a line has not ended.
package struct CheckProgram<Client: CheckedClient> {
    private let orders = Orders(CommandLine.arguments.dropFirst())

    /// Creates a program.
    ///
    /// - Parameter type: The client to check.
    package init(_ type: Client.Type) {}

    /// Runs to the end of the last request.
    ///
    /// - Throws: An error if the client cannot be created or shut down.
    package func run() async throws {
        let clients = try (0..<orders.clients).map { _ in try Client(orders) }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<orders.parallel {
                let client = clients[worker % clients.count]
                group.addTask {
                    for number in stride(from: worker + 1, through: orders.count, by: orders.parallel) {
                        if orders.pause > 0 { await pause() }
                        await send(orders.order(number), with: client)
                    }
                }
            }
        }
        for client in clients { try await client.shutdown() }
        line("end")
    }

    /// Waits as long as was ordered: about as long as the server leaves a connection idle.
    private func pause() async {
        let milliseconds = orders.pause + .random(in: -orders.spread...orders.spread)
        try? await Task.sleep(for: .microseconds(Int(milliseconds * 1000)))
    }

    private func send(_ order: Order, with client: Client) async {
        do {
            let answer = try await client.send(order)
            let isRight = answer.status == 200 && answer.body == order.path
            line(isRight ? "\(order.number) ok" : "\(order.number) wrong \(answer.status) \(answer.body.prefix(80))")
        } catch {
            line("\(order.number) error \(Client.kind(of: error)) \(error)")
        }
    }

    /// Writes a line at once and as a whole, so that nothing is missing if the process is killed.
    private func line(_ text: String) {
        let text = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }
}
