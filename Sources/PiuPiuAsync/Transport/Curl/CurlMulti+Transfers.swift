#if os(Linux)
import CurlShim

/// Exchanges whose bodies are passed on or produced as they go: pausing, going on, and what libcurl does not tell.
extension CurlMulti {
    struct Transfers {
        /// Exchanges whose answer came before their whole body was sent.
        var answeredEarly: [CurlExchange] = []
        /// Exchanges that passed on parts of a body since the last turn.
        var unflushed: [CurlExchange] = []
        /// Exchanges for which libcurl stopped reading, although they need an answer.
        var unanswered: [CurlExchange] = []
        /// What origins speak to exchanges that have connections of their own.
        var protocols = StreamProtocols()
    }

    /// Does what is due for transfers after libcurl was served.
    func serveTransfers() {
        if !transfers.unanswered.isEmpty { finishUnanswered() }
        // A reader is woken once for all that came, instead of for each piece.
        guard !transfers.unflushed.isEmpty else { return }
        for exchange in transfers.unflushed {
            exchange.needsFlush = false
            exchange.flush()
        }
        transfers.unflushed.removeAll(keepingCapacity: true)
    }

    /// Notes that a part of a body was passed on to a reader who may wait for it.
    func needsFlush(_ exchange: CurlExchange) {
        guard !exchange.needsFlush else { return }
        exchange.needsFlush = true
        transfers.unflushed.append(exchange)
    }

    /// Goes on with an exchange that the caller had held up; does nothing where it has ended.
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
        // Calls back with what it had kept, and may find itself paused again.
        exchange.isGettingWhatWasKept = direction == .receiving
        let code = pp_easy_pause(handle.easy, exchange.pauseMask)
        exchange.isGettingWhatWasKept = false
        guard code == 0 || code == Int32(bitPattern: PP_CURLE_BAD_FUNCTION_ARGUMENT.rawValue) else {
            return finish(exchange, CurlOutcome.outcome(of: exchange, code: code))
        }
        timerAt = now
    }

    /// Notes that the final head came while there is more of the body to be sent.
    func answeredEarly(_ exchange: CurlExchange) {
        if !transfers.answeredEarly.contains(where: { $0 === exchange }) { transfers.answeredEarly.append(exchange) }
    }

    /// Notes that the whole response came while there is more of the body to be sent.
    func answeredWhole(_ exchange: CurlExchange) {
        exchange.timeline.answered(now: now)
        deadlineMayHaveChanged(exchange)
    }

    /// Lets libcurl look again at bodies that wait for their producer while the answer is there.
    ///
    /// Where the answer makes the rest of the body pointless, libcurl gives up sending, but keeps the exchange for as
    /// long as sending is paused. It tells of no end, so that each event may be the one; mostly there is nobody to ask.
    func nudgeAnswered() {
        guard !transfers.answeredEarly.isEmpty else { return }
        for exchange in transfers.answeredEarly where exchange.pauseMask & Int32(PP_CURLPAUSE_SEND) != 0 {
            resume(exchange.ticket, .sending)
        }
    }

    /// Watches a socket as libcurl asks, and notes where it stopped reading too early.
    func watch(_ socket: Int32, _ what: Int32, for easy: OpaquePointer?) {
        poller.watch(socket, what, engine: place)
        guard let easy, let exchange = Self.handle(of: easy)?.exchange else { return }
        guard what & Int32(PP_CURL_POLL_IN) == 0 else { return }
        if exchange.needsAnswerToGoOn { transfers.unanswered.append(exchange) }
        // Also where no length tells it, libcurl has the whole response when it stops reading by itself.
        guard exchange.isAnsweredEarly, !exchange.isReceivingPaused else { return }
        exchange.hasStoppedReading = true
        answeredWhole(exchange)
    }

    /// Ends exchanges whose server has closed its side without an answer.
    ///
    /// libcurl stops reading then and goes on sending, for as long as there is something to send or to wait for. What it
    /// reports as done by itself has ended before.
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
    /// Whether the final head is there, and a producer may have more to send.
    var isAnsweredEarly: Bool { isHeadComplete && statusCode >= 200 && content.isProducing }

    /// Whether only the rest of the request is missing.
    var hasWholeResponse: Bool { isResponseComplete || hasStoppedReading && isAnsweredEarly }

    /// Whether a body is being sent that may go on for ever, and that only an answer could cut short.
    ///
    /// One that can be repeated comes to its end, and the engine may yet send it again on another connection.
    var needsAnswerToGoOn: Bool { content.isEndless && !(isHeadComplete && statusCode >= 200) }
}
#endif
