#if os(Linux)
import CShims

/// The nghttp2 session of one connection: frames, compression, windows, and the rules of RFC 9113.
///
/// nghttp2 calls the connection back during ``receive(_:)`` and ``nextOutput()``. Neither may be called again from a callback.
final class HTTP2Session {
    let pointer: OpaquePointer

    /// The most bytes that the server may send on a stream before its reader has taken them.
    static let initialWindow = 256 * 1024
    /// The most bytes that it may send once the reader has started to read.
    static let largeWindow = 4 * 1024 * 1024
    /// The most bytes that it may send on all streams together before the loop has taken them.
    static let connectionWindow = 16 * 1024 * 1024

    /// Creates a session, whose first frames are ready to be sent; `nil` if nghttp2 has no memory or refuses a setting.
    ///
    /// - Parameter connection: The connection, which must outlive the session.
    init?(_ connection: HTTP2Connection) {
        guard case .success = NGHTTP2Library.shared, let parts = Self.parts else { return nil }
        var session: OpaquePointer?
        let context = Unmanaged.passUnretained(connection).toOpaque()
        guard cs_nghttp2_session_client_new2(&session, parts.callbacks, context, parts.options) == 0, let session
        else { return nil }
        pointer = session
        let settings = [
            cs_h2_setting(id: Int32(CS_H2_ENABLE_PUSH), value: 0),
            cs_h2_setting(id: Int32(CS_H2_INITIAL_WINDOW_SIZE), value: UInt32(Self.initialWindow)),
        ]
        guard cs_nghttp2_submit_settings(session, 0, settings, settings.count) == 0,
            cs_nghttp2_session_set_local_window_size(session, 0, 0, Int32(Self.connectionWindow)) == 0
        else { return nil }
    }

    deinit { cs_nghttp2_session_del(pointer) }

    /// Whether nghttp2 has nothing to send or to receive, so the connection is over.
    var isOver: Bool {
        cs_nghttp2_session_want_read(pointer) == 0 && cs_nghttp2_session_want_write(pointer) == 0
    }

    /// The number of concurrent streams that the server accepts; an assumption until its settings arrive.
    var maximumStreams: Int {
        Int(clamping: cs_nghttp2_session_get_remote_settings(pointer, Int32(CS_H2_MAX_CONCURRENT_STREAMS)))
    }

    /// Whether the server's settings allow an extended `CONNECT` (RFC 8441 §3); `false` until they arrive.
    var allowsTunnels: Bool {
        guard case .success(let library) = NGHTTP2Library.shared, library.knowsTunnels else { return false }
        return cs_nghttp2_session_get_remote_settings(pointer, Int32(CS_H2_ENABLE_CONNECT_PROTOCOL)) == 1
    }

    /// Passes received bytes to nghttp2, and returns 0 or nghttp2's error number.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
        return min(0, cs_nghttp2_session_mem_recv(pointer, start, bytes.count))
    }

    /// The next bytes to send, valid until the next call; `nil` if nghttp2 has failed, and empty if there are none.
    func nextOutput() -> UnsafeRawBufferPointer? {
        var bytes: UnsafePointer<UInt8>?
        let count = cs_nghttp2_session_mem_send(pointer, &bytes)
        return count < 0 ? nil : UnsafeRawBufferPointer(start: bytes, count: count)
    }

    func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
        // It fails for a closed stream, which needs no reset.
        _ = cs_nghttp2_submit_rst_stream(pointer, 0, stream, code.rawValue)
    }

    // MARK: Shared by all sessions

    private struct Parts: @unchecked Sendable {
        let callbacks: OpaquePointer
        let options: OpaquePointer
    }

    // Created once, and never changed or freed. nghttp2 only reads them.
    private static let parts: Parts? = {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        guard cs_nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks,
            cs_nghttp2_option_new(&options) == 0, let options
        else { return nil }
        setOptions(options)
        setCallbacks(callbacks)
        return Parts(callbacks: callbacks, options: options)
    }()

    private static func setOptions(_ options: OpaquePointer) {
        // A window grows only by bytes that the reader took, so the bytes for an idle reader can't fill the memory.
        cs_nghttp2_option_set_no_auto_window_update(options, 1)
        // The size of sent heads is checked elsewhere.
        cs_nghttp2_option_set_max_send_header_block_length(options, 2 << 20)
        cs_nghttp2_option_set_max_outbound_ack(options, 1000)
        // The exchange limits the size of heads, and the connection limits frames without content.
        cs_nghttp2_option_set_max_continuations(options, 1 << 16)
        // Only some versions check it, and turning it off does no harm.
        cs_nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(options, 1)
    }

    private static func setCallbacks(_ callbacks: OpaquePointer) {
        cs_nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, head, context in
            HTTP2Connection.of(context).frameBegins(head.pointee)
        }
        cs_nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, context in
            HTTP2Connection.of(context).fieldsBegin(frame.pointee.head.stream)
        }
        cs_nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _,
            _,
            name,
            nameCount,
            value,
            count,
            _,
            context in
            HTTP2Connection.of(context).fieldArrived(
                UnsafeRawBufferPointer(start: name, count: nameCount),
                UnsafeRawBufferPointer(start: value, count: count)
            )
        }
        // An invalid field makes the response malformed (RFC 9113 §8.2.1). By default, nghttp2 would ignore some of them.
        cs_nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) { _, _, _, _, _, _, _, context in
            HTTP2Connection.of(context).invalidFieldArrived()
        }
        cs_nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, context in
            HTTP2Connection.of(context).frameArrived(frame.pointee)
        }
        cs_nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, context in
            HTTP2Connection.of(context).dataArrived(UnsafeRawBufferPointer(start: bytes, count: count), on: stream)
            return 0
        }
        cs_nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, error, context in
            HTTP2Connection.of(context).streamClosed(stream, HTTP2ErrorCode(rawValue: error))
            return 0
        }
        cs_nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, context in
            HTTP2Connection.of(context).frameSent(frame.pointee)
            return 0
        }
        cs_nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, error, context in
            HTTP2Connection.of(context).frameNotSent(frame.pointee.head, error)
            return 0
        }
    }
}
#endif
