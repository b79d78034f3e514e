#if os(Linux)
import CurlShim
import PiuPiuAsync

/// Pauses and resumes streaming transfers, and detects events that libcurl does not report.
extension CurlMulti {
    struct Transfers {
        /// Exchanges that received a response before their whole body was sent.
        var answeredEarly: [CurlExchange] = []
        /// Exchanges that passed on parts of a body since the last flush.
        var unflushed: [CurlExchange] = []
        /// Exchanges for which libcurl stopped reading although they need a response.
        var unanswered: [CurlExchange] = []
        /// The protocols of origins for exchanges with their own connections.
        var protocols = StreamProtocols()
        /// The origins that advertise HTTP/3.
        var alternatives = HTTP3Alternatives()
    }

    /// Serves transfers after libcurl's work is done.
    func serveTransfers() {
        if !transfers.unanswered.isEmpty { finishUnanswered() }
        // A reader is woken once per turn instead of once per piece.
        guard !transfers.unflushed.isEmpty else { return }
        for exchange in transfers.unflushed {
            exchange.needsFlush = false
            exchange.flush()
        }
        transfers.unflushed.removeAll(keepingCapacity: true)
    }

    /// Schedules a flush after a part of a body was passed to a reader that may be waiting.
    func needsFlush(_ exchange: CurlExchange) {
        guard !exchange.needsFlush else { return }
        exchange.needsFlush = true
        transfers.unflushed.append(exchange)
    }

    /// Resumes a paused exchange; does nothing if it has ended.
    func resume(_ ticket: ExchangeTicket, _ direction: TransferDirection) {
        guard let exchange = exchanges[ObjectIdentifier(ticket)], let handle = exchange.handle else { return }
        if direction == .sending, let error = exchange.content.error {
            exchange.failureCause = error
            let failure = CurlOutcome.failure(of: exchange, code: .connectionLost, description: nil)
            return finish(exchange, .failure(failure))
        }
        let bit = Int32(direction == .sending ? PP_CURLPAUSE_SEND : PP_CURLPAUSE_RECV)
        guard exchange.pauseMask & bit != 0 else { return }
        exchange.pauseMask &= ~bit
        exchange.timeline.setPaused(exchange.pauseMask != 0, now: now)
        deadlineMayHaveChanged(exchange)
        if direction == .receiving, let connection = exchange.connection { poller.letGo(connection) }
        // libcurl delivers the bytes it kept, and the callback may pause it again.
        exchange.takesPausedBytes = direction == .receiving
        let code = pp_easy_pause(handle.easy, exchange.pauseMask)
        exchange.takesPausedBytes = false
        guard code == 0 || code == Int32(bitPattern: PP_CURLE_BAD_FUNCTION_ARGUMENT.rawValue) else {
            return finish(exchange, CurlOutcome.outcome(of: exchange, code: code))
        }
        timerAt = now
    }

    /// Records that the final head arrived before the whole body was sent.
    func answeredEarly(_ exchange: CurlExchange) {
        if !transfers.answeredEarly.contains(where: { $0 === exchange }) { transfers.answeredEarly.append(exchange) }
    }

    /// Records that the whole response arrived before the whole body was sent.
    func answeredWhole(_ exchange: CurlExchange) {
        exchange.timeline.answered(now: now)
        deadlineMayHaveChanged(exchange)
    }

    /// Resumes paused uploads whose response has arrived, so that libcurl checks them again.
    ///
    /// If the response makes the rest of the body pointless, libcurl gives up sending but keeps the exchange while sending is
    /// paused. It doesn't report this, so every event triggers this check. Usually the list is empty.
    func nudgeAnswered() {
        guard !transfers.answeredEarly.isEmpty else { return }
        for exchange in transfers.answeredEarly where exchange.pauseMask & Int32(PP_CURLPAUSE_SEND) != 0 {
            resume(exchange.ticket, .sending)
        }
    }

    /// Watches a socket as libcurl asks, and detects that libcurl stopped reading too early.
    func watch(_ socket: Int32, _ what: Int32, for easy: OpaquePointer?) {
        poller.watch(socket, what, engine: place)
        guard let easy, let exchange = Self.handle(of: easy)?.exchange else { return }
        // Any other socket has lost the race for the connection.
        if let connection = exchange.connection, connection.socket != socket { return }
        guard what & Int32(PP_CURL_POLL_IN) == 0 else { return }
        // With a speed limit, libcurl stops reading repeatedly, which means nothing.
        guard exchange.rates.isEmpty else { return }
        if exchange.needsAnswerToGoOn { transfers.unanswered.append(exchange) }
        // Even without a length, libcurl has the whole response when it stops reading by itself.
        guard exchange.isAnsweredEarly, !exchange.isReceivingPaused else { return }
        exchange.hasStoppedReading = true
        answeredWhole(exchange)
    }

    /// Ends exchanges whose server closed its side without a response.
    ///
    /// libcurl then stops reading but continues to send while there is something to send or to wait for. Exchanges that it
    /// reports as done itself have already ended.
    private func finishUnanswered() {
        let suspects = transfers.unanswered
        transfers.unanswered = []
        for exchange in suspects where exchange.handle != nil && exchange.needsAnswerToGoOn {
            let failure = CurlOutcome.failure(of: exchange, code: .connectionLost, description: nil)
            finish(exchange, .failure(failure))
        }
    }
}

extension CurlExchange {
    /// Whether the final head has arrived while a producer may have more to send.
    var isAnsweredEarly: Bool { isHeadComplete && statusCode >= 200 && content.isProducing }

    /// Whether only the rest of the request is missing.
    var hasWholeResponse: Bool { isResponseComplete || hasStoppedReading && isAnsweredEarly }

    /// Whether the exchange sends a possibly endless body that only a response could cut short.
    ///
    /// A repeatable body ends by itself, and the engine may still resend it on another connection.
    var needsAnswerToGoOn: Bool { content.isEndless && !(isHeadComplete && statusCode >= 200) }
}
#endif
