extension Statistics.Snapshot {
    /// The statistics in Prometheus' text format 0.0.4, to be served as `text/plain; version=0.0.4; charset=utf-8`.
    ///
    /// | Metric | Labels |
    /// |---|---|
    /// | `piupiu_calls_started_total` | |
    /// | `piupiu_calls_ended_total` | `outcome`: `response`, `failure` or `cancelled` |
    /// | `piupiu_calls_in_progress` | |
    /// | `piupiu_exchanges_started_total`, `piupiu_exchanges_in_flight`, `piupiu_exchanges_waiting` | `origin` |
    /// | `piupiu_responses_total` | `origin`, `class`: `2xx` to `5xx`, others if they occurred |
    /// | `piupiu_failures_total` | `origin`, `error` |
    /// | `piupiu_cancelled_total`, `piupiu_retries_total`, `piupiu_redirects_total` | `origin` |
    /// | `piupiu_connections_opened_total`, `piupiu_connections_reused_total` | `origin` |
    /// | `piupiu_connections_open`, `piupiu_connections_idle` | `origin` |
    /// | `piupiu_sent_bytes_total`, `piupiu_received_bytes_total` | `origin` |
    /// | `piupiu_websocket_messages_sent_total`, `piupiu_websocket_messages_received_total` | `origin` |
    /// | `piupiu_websocket_message_sent_bytes_total`, `piupiu_websocket_message_received_bytes_total` | `origin` |
    /// | `piupiu_exchange_duration_seconds`, `piupiu_first_byte_seconds`, `piupiu_queue_seconds` | `origin`, `le` |
    ///
    /// An `origin` has a form such as `https://example.com:443`, or is `other`.
    public var prometheusText: String {
        var text = PrometheusText()
        text.begin("piupiu_calls_started_total", .counter, "Calls of the dispatcher that began.")
        text.add(calls.started)
        text.begin("piupiu_calls_ended_total", .counter, "Calls of the dispatcher that ended.")
        text.add(calls.responses, [("outcome", "response")])
        text.add(calls.failures, [("outcome", "failure")])
        text.add(calls.cancelled, [("outcome", "cancelled")])
        text.begin("piupiu_calls_in_progress", .gauge, "Calls of the dispatcher that have not ended.")
        text.add(calls.inProgress)
        let rows = rows
        for number in Self.numbers {
            text.begin(number.name, number.type, number.help)
            for row in rows { text.add(number.value(row.exchanges), [("origin", row.name)]) }
        }
        text.begin("piupiu_responses_total", .counter, "Complete responses, by class.")
        for row in rows {
            for type in StatusCodeType.inOrder {
                let count = row.exchanges.responses[type] ?? 0
                let isRare = type == .informational || type == .invalid
                if count > 0 || !isRare { text.add(count, [("origin", row.name), ("class", type.label)]) }
            }
        }
        text.begin("piupiu_failures_total", .counter, "Exchanges that failed, by error.")
        for row in rows {
            for (name, count) in row.exchanges.failures.sorted(by: { $0.key < $1.key }) {
                text.add(count, [("origin", row.name), ("error", name)])
            }
        }
        for histogram in Self.histograms {
            text.begin(histogram.name, .histogram, histogram.help)
            for row in rows { text.add(histogram.value(row.exchanges), [("origin", row.name)]) }
        }
        return text.text
    }

    private typealias Number = (
        name: StaticString, type: PrometheusText.MetricType, value: @Sendable (Statistics.Exchanges) -> Int,
        help: StaticString
    )

    private static let numbers: [Number] = [
        ("piupiu_exchanges_started_total", .counter, \.started, "Exchanges that began."),
        ("piupiu_exchanges_in_flight", .gauge, \.inFlight, "Exchanges that have not ended, including those that wait."),
        ("piupiu_exchanges_waiting", .gauge, \.waiting, "Exchanges that wait for a connection."),
        ("piupiu_cancelled_total", .counter, \.cancelled, "Exchanges that were cancelled before their end."),
        ("piupiu_retries_total", .counter, \.retries, "Retries that were planned after an exchange."),
        ("piupiu_redirects_total", .counter, \.redirects, "Redirects that were followed."),
        ("piupiu_connections_opened_total", .counter, \.openedConnections, "Connections opened for an exchange."),
        ("piupiu_connections_reused_total", .counter, \.reusedConnections, "Open connections used by an exchange."),
        ("piupiu_connections_open", .gauge, \.openConnections, "Connections that are open."),
        ("piupiu_connections_idle", .gauge, \.idleConnections, "Open connections that carry no exchange."),
        ("piupiu_sent_bytes_total", .counter, \.bytesSent, "Bytes of requests, before TLS."),
        ("piupiu_received_bytes_total", .counter, \.bytesReceived, "Bytes of responses, before decompression."),
        ("piupiu_websocket_messages_sent_total", .counter, \.messagesSent, "Messages sent over WebSockets."),
        (
            "piupiu_websocket_messages_received_total", .counter, \.messagesReceived,
            "Messages received over WebSockets."
        ),
        (
            "piupiu_websocket_message_sent_bytes_total", .counter, \.messageBytesSent,
            "Bytes of messages sent over WebSockets, without compression."
        ),
        (
            "piupiu_websocket_message_received_bytes_total", .counter, \.messageBytesReceived,
            "Bytes of messages received over WebSockets, after decompression."
        ),
    ]

    private typealias Times = (
        name: StaticString, value: @Sendable (Statistics.Exchanges) -> Statistics.Histogram, help: StaticString
    )

    private static let histograms: [Times] = [
        ("piupiu_exchange_duration_seconds", \.duration, "Time from the start of an exchange to its end."),
        ("piupiu_first_byte_seconds", \.firstByte, "Time from the end of the queue to the first byte of the response."),
        ("piupiu_queue_seconds", \.queued, "Time in the queue for a connection."),
    ]
}
