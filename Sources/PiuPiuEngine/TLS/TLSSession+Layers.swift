#if os(Linux)
import CShims

// TLS within TLS: a session whose records are the content of another one.
extension TLSContext {
    /// Creates the TLS session of one connection over another session.
    ///
    /// - Parameters:
    ///   - host: The DNS name or IP address that the server's certificate must be for, without brackets and zone.
    ///   - origin: The key of resumed sessions: sessions never reach another origin.
    ///   - lower: The session below, whose handshake is done. From now on it carries only the new session.
    ///   - protocols: The protocols to offer (ALPN); `nil` for those of the settings.
    /// - Returns: The session. Only the loop's thread may use it.
    /// - Throws: A report if the host is unusable, or OpenSSL refuses a setting.
    package func session(
        host: String,
        origin: String,
        over lower: TLSSession,
        protocols: [String]? = nil
    ) throws(TLSReport) -> TLSSession {
        cs_ERR_clear_error()
        return try TLSSession(
            context: self,
            host: host,
            origin: origin,
            descriptor: lower.link.pointee.descriptor,
            input: lower.input,
            protocols: protocols ?? settings.applicationProtocols,
            lower: lower
        )
    }
}

extension TLSSession {
    /// Makes the link use the session below in place of the socket.
    func layLink() {
        // OpenSSL calls the link only within calls of this session, which retain it.
        cs_link_lay(
            link,
            Unmanaged.passUnretained(self).toOpaque(),
            { context, bytes, count in
                let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
                return Unmanaged<TLSSession>.fromOpaque(context).takeUnretainedValue().receiveBelow(into: buffer)
            },
            { context, bytes, count in
                let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
                return Unmanaged<TLSSession>.fromOpaque(context).takeUnretainedValue().sendBelow(buffer)
            }
        )
    }

    private func receiveBelow(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        guard let lower, failureBelow == nil else { return Int32(CS_BELOW_FAILED) }
        guard !link.pointee.is_ended else { return Int32(CS_BELOW_END) }
        switch lower.receive(into: buffer) {
        case .bytes(let count): return Int32(count)
        case .wouldBlock: return Int32(CS_BELOW_READS)
        case .wouldBlockOpposite: return Int32(CS_BELOW_WRITES)
        case .end: return endOfBelow()
        case .failed(let failure): return failed(failure)
        }
    }

    private func sendBelow(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard let lower, failureBelow == nil else { return Int32(CS_BELOW_FAILED) }
        // This session has failed, and the bytes are its alert. The error in OpenSSL's queue does not belong to the session
        // below.
        guard OpenSSLError.first == nil else { return lower.sendLast(bytes) }
        switch lower.send(bytes) {
        case .bytes(let count): return Int32(count)
        case .wouldBlock: return Int32(CS_BELOW_WRITES)
        case .wouldBlockOpposite: return Int32(CS_BELOW_READS)
        case .end: return endOfBelow()
        case .failed(.system(let number)) where number == lower.link.pointee.write_error:
            // As for a socket, reading continues.
            link.pointee.write_error = number
            return Int32(CS_BELOW_WRITES)
        case .failed(let failure): return failed(failure)
        }
    }

    /// Sends the last bytes, if that is possible without waiting.
    private func sendLast(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard unusable == nil, let start = bytes.baseAddress else { return Int32(CS_BELOW_WRITES) }
        let result = cs_SSL_write(ssl, start, Int32(clamping: bytes.count))
        return result > 0 ? result : Int32(CS_BELOW_WRITES)
    }

    /// The end of the session below counts as the end of the socket: only this session's own close_notify is a clean end.
    private func endOfBelow() -> Int32 {
        link.pointee.is_ended = true
        return Int32(CS_BELOW_END)
    }

    private func failed(_ failure: ChannelFailure) -> Int32 {
        if case .cutOff = failure { return endOfBelow() }
        failureBelow = failure
        return Int32(CS_BELOW_FAILED)
    }
}
#endif
