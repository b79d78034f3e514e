import PiuPiuAsync

/// The order of a dispatcher's events, as a state machine that finds violations.
///
/// `ExchangeEvent.Kind` documents the rules. An ``EventOrderChecker`` passes the events of a dispatcher to it.
public struct EventOrder: Sendable {
    private enum Phase {
        case started, queued, connected, restarted, head, over
    }

    private struct Exchange {
        var phase = Phase.started
        var isSent = false
    }

    private struct Call {
        var isOver = false
        var exchanges: [Int: Exchange] = [:]
    }

    private var calls: [Int: Call] = [:]
    /// The violations of the rules, in the order of the events; at most a hundred.
    public private(set) var violations: [String] = []

    /// Creates a machine that has seen no events.
    public init() {}

    /// The number of calls that have not ended.
    public var openCallCount: Int { calls.values.count { !$0.isOver } }

    /// The number of exchanges that have not ended.
    public var openExchangeCount: Int {
        calls.values.reduce(0) { $0 + $1.exchanges.values.count { $0.phase != .over } }
    }

    /// The number of exchanges that began.
    public var exchangeCount: Int { calls.values.reduce(0) { $0 + $1.exchanges.count } }

    /// Processes an event.
    ///
    /// - Parameters:
    ///   - kind: The kind of the event.
    ///   - call: The number of the call.
    ///   - exchange: The number of the exchange; `nil` for an event of the call.
    public mutating func take(_ kind: ExchangeEvent.Kind, call: Int, exchange: Int?) {
        let fault: String? = if let exchange { takeExchange(kind, call, exchange) } else { takeCall(kind, call) }
        guard let fault, violations.count < 100 else { return }
        violations.append("call \(call)" + (exchange.map { ", exchange \($0)" } ?? "") + ": \(kind): \(fault)")
    }

    private mutating func takeCall(_ kind: ExchangeEvent.Kind, _ id: Int) -> String? {
        switch kind {
        case .callStarted:
            guard calls[id] == nil else { return "a second start" }
            calls[id] = Call()
        case .callEnded:
            guard let call = calls[id] else { return "an end without a start" }
            guard !call.isOver else { return "a second end" }
            calls[id]?.isOver = true
        case .redirected, .retryPlanned, .cached, .webSocketMessage, .webSocketClosed:
            guard calls[id] != nil else { return "before the start of the call" }
        default: return "an event of an exchange without one"
        }
        return nil
    }

    private mutating func takeExchange(_ kind: ExchangeEvent.Kind, _ id: Int, _ number: Int) -> String? {
        guard let call = calls[id] else { return "before the start of the call" }
        if case .exchangeStarted = kind {
            guard call.exchanges[number] == nil else { return "a second start" }
            calls[id]?.exchanges[number] = Exchange()
            return nil
        }
        guard var exchange = call.exchanges[number] else { return "before the start of the exchange" }
        defer { calls[id]?.exchanges[number] = exchange }
        return Self.take(kind, &exchange)
    }

    private static func take(_ kind: ExchangeEvent.Kind, _ exchange: inout Exchange) -> String? {
        let phase = exchange.phase
        guard phase != .over else { return "after the end" }
        switch kind {
        case .queued:
            guard phase == .started else { return "after \(phase)" }
            exchange.phase = .queued
        case .connectionTaken:
            guard phase == .started || phase == .queued || phase == .restarted else { return "after \(phase)" }
            exchange.phase = .connected
        case .restarted:
            guard phase == .connected else { return "after \(phase)" }
            exchange = Exchange(phase: .restarted)
        case .bodySent(let count):
            guard phase == .connected || phase == .head, !exchange.isSent else { return "after \(phase)" }
            guard count > 0 else { return "no bytes" }
        case .requestSent:
            guard phase == .connected || phase == .head, !exchange.isSent else { return "after \(phase)" }
            exchange.isSent = true
        case .informational(let statusCode):
            guard phase == .connected else { return "after \(phase)" }
            guard (100..<200).contains(statusCode.rawValue) else { return "not an interim response" }
        case .head(let statusCode):
            guard phase == .connected || phase == .started else { return "after \(phase)" }
            guard statusCode.rawValue >= 200 || statusCode.rawValue == 101 else { return "not a final response" }
            exchange.phase = .head
        case .bodyReceived(let count):
            guard phase == .head else { return "after \(phase)" }
            guard count > 0 else { return "no bytes" }
        case .exchangeEnded(let summary):
            if case .response(let statusCode) = summary.outcome {
                guard phase == .head else { return "a response without a head" }
                guard statusCode == summary.statusCode else { return "another status code than the head's" }
            }
            exchange.phase = .over
        case .callStarted, .exchangeStarted, .redirected, .retryPlanned, .cached, .callEnded, .webSocketMessage,
            .webSocketClosed:
            return "an event of a call with an exchange"
        }
        return nil
    }
}
