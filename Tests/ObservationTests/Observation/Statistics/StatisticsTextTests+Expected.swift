extension StatisticsTextTests {
    /// The text of one origin whose name needs every escape.
    static let expected = #"""
        # HELP piupiu_calls_started_total Calls of the dispatcher that began.
        # TYPE piupiu_calls_started_total counter
        piupiu_calls_started_total 2
        # HELP piupiu_calls_ended_total Calls of the dispatcher that ended.
        # TYPE piupiu_calls_ended_total counter
        piupiu_calls_ended_total{outcome="response"} 0
        piupiu_calls_ended_total{outcome="failure"} 1
        piupiu_calls_ended_total{outcome="cancelled"} 0
        # HELP piupiu_calls_in_progress Calls of the dispatcher that have not ended.
        # TYPE piupiu_calls_in_progress gauge
        piupiu_calls_in_progress 1
        # HELP piupiu_exchanges_started_total Exchanges that began.
        # TYPE piupiu_exchanges_started_total counter
        piupiu_exchanges_started_total{origin="a\"b\\c\nd\r\n"} 3
        # HELP piupiu_exchanges_in_flight Exchanges that have not ended, including those that wait.
        # TYPE piupiu_exchanges_in_flight gauge
        piupiu_exchanges_in_flight{origin="a\"b\\c\nd\r\n"} 1
        # HELP piupiu_exchanges_waiting Exchanges that wait for a connection.
        # TYPE piupiu_exchanges_waiting gauge
        piupiu_exchanges_waiting{origin="a\"b\\c\nd\r\n"} 1
        # HELP piupiu_cancelled_total Exchanges that were cancelled before their end.
        # TYPE piupiu_cancelled_total counter
        piupiu_cancelled_total{origin="a\"b\\c\nd\r\n"} 0
        # HELP piupiu_retries_total Retries that were planned after an exchange.
        # TYPE piupiu_retries_total counter
        piupiu_retries_total{origin="a\"b\\c\nd\r\n"} 1
        # HELP piupiu_redirects_total Redirects that were followed.
        # TYPE piupiu_redirects_total counter
        piupiu_redirects_total{origin="a\"b\\c\nd\r\n"} 0
        # HELP piupiu_connections_opened_total Connections opened for an exchange.
        # TYPE piupiu_connections_opened_total counter
        piupiu_connections_opened_total{origin="a\"b\\c\nd\r\n"} 1
        # HELP piupiu_connections_reused_total Open connections used by an exchange.
        # TYPE piupiu_connections_reused_total counter
        piupiu_connections_reused_total{origin="a\"b\\c\nd\r\n"} 1
        # HELP piupiu_connections_open Connections that are open.
        # TYPE piupiu_connections_open gauge
        piupiu_connections_open{origin="a\"b\\c\nd\r\n"} 2
        # HELP piupiu_connections_idle Open connections that carry no exchange.
        # TYPE piupiu_connections_idle gauge
        piupiu_connections_idle{origin="a\"b\\c\nd\r\n"} 1
        # HELP piupiu_sent_bytes_total Bytes of requests, before TLS.
        # TYPE piupiu_sent_bytes_total counter
        piupiu_sent_bytes_total{origin="a\"b\\c\nd\r\n"} 180
        # HELP piupiu_received_bytes_total Bytes of responses, before decompression.
        # TYPE piupiu_received_bytes_total counter
        piupiu_received_bytes_total{origin="a\"b\\c\nd\r\n"} 1234
        # HELP piupiu_websocket_messages_sent_total Messages sent over WebSockets.
        # TYPE piupiu_websocket_messages_sent_total counter
        piupiu_websocket_messages_sent_total{origin="a\"b\\c\nd\r\n"} 0
        # HELP piupiu_websocket_messages_received_total Messages received over WebSockets.
        # TYPE piupiu_websocket_messages_received_total counter
        piupiu_websocket_messages_received_total{origin="a\"b\\c\nd\r\n"} 0
        # HELP piupiu_websocket_message_sent_bytes_total Bytes of messages sent over WebSockets, without compression.
        # TYPE piupiu_websocket_message_sent_bytes_total counter
        piupiu_websocket_message_sent_bytes_total{origin="a\"b\\c\nd\r\n"} 0
        # HELP piupiu_websocket_message_received_bytes_total Bytes of messages received over WebSockets, after decompression.
        # TYPE piupiu_websocket_message_received_bytes_total counter
        piupiu_websocket_message_received_bytes_total{origin="a\"b\\c\nd\r\n"} 0
        # HELP piupiu_responses_total Complete responses, by class.
        # TYPE piupiu_responses_total counter
        piupiu_responses_total{origin="a\"b\\c\nd\r\n",class="2xx"} 1
        piupiu_responses_total{origin="a\"b\\c\nd\r\n",class="3xx"} 0
        piupiu_responses_total{origin="a\"b\\c\nd\r\n",class="4xx"} 0
        piupiu_responses_total{origin="a\"b\\c\nd\r\n",class="5xx"} 0
        # HELP piupiu_failures_total Exchanges that failed, by error.
        # TYPE piupiu_failures_total counter
        piupiu_failures_total{origin="a\"b\\c\nd\r\n",error="timeout(idle)"} 1
        # HELP piupiu_exchange_duration_seconds Time from the start of an exchange to its end.
        # TYPE piupiu_exchange_duration_seconds histogram
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.005"} 0
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.01"} 0
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.025"} 0
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.05"} 0
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.075"} 0
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.1"} 0
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.25"} 0
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.5"} 0
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.75"} 0
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="1"} 0
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="2.5"} 1
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="5"} 1
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="7.5"} 1
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="10"} 1
        piupiu_exchange_duration_seconds_bucket{origin="a\"b\\c\nd\r\n",le="+Inf"} 2
        piupiu_exchange_duration_seconds_sum{origin="a\"b\\c\nd\r\n"} 31.5
        piupiu_exchange_duration_seconds_count{origin="a\"b\\c\nd\r\n"} 2
        # HELP piupiu_first_byte_seconds Time from the end of the queue to the first byte of the response.
        # TYPE piupiu_first_byte_seconds histogram
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.005"} 0
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.01"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.025"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.05"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.075"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.1"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.25"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.5"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.75"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="1"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="2.5"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="5"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="7.5"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="10"} 1
        piupiu_first_byte_seconds_bucket{origin="a\"b\\c\nd\r\n",le="+Inf"} 1
        piupiu_first_byte_seconds_sum{origin="a\"b\\c\nd\r\n"} 0.007
        piupiu_first_byte_seconds_count{origin="a\"b\\c\nd\r\n"} 1
        # HELP piupiu_queue_seconds Time in the queue for a connection.
        # TYPE piupiu_queue_seconds histogram
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.005"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.01"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.025"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.05"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.075"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.1"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.25"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.5"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="0.75"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="1"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="2.5"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="5"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="7.5"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="10"} 1
        piupiu_queue_seconds_bucket{origin="a\"b\\c\nd\r\n",le="+Inf"} 1
        piupiu_queue_seconds_sum{origin="a\"b\\c\nd\r\n"} 0
        piupiu_queue_seconds_count{origin="a\"b\\c\nd\r\n"} 1

        """#.replacing("\\r", with: "\r")
}
