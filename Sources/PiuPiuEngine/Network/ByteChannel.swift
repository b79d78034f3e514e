#if os(Linux)
import Glibc

/// The result of an attempt to read or to write.
package enum IOResult {
    case bytes(Int)
    /// Nothing can be done before the socket is readable (for a read) or writable (for a write).
    case wouldBlock
    /// TLS has to do the opposite first: a read has to write, or a write has to read.
    case wouldBlockOpposite
    /// The clean end: a FIN without TLS, close_notify over TLS.
    case end
    case failed(ChannelFailure)
}

/// Why a channel broke.
package enum ChannelFailure: Error, Sendable {
    /// The system's error number.
    case system(Int32)
    /// The other side closed the connection without close_notify.
    case cutOff
    case tls(TLSReport)
}

/// A socket, with or without TLS, whose calls never block.
///
/// It owns the descriptor. The descriptor is closed by ``close()``, or when the last reference goes away.
package final class ByteChannel {
    // Exclusive access is checked in debug builds only: one thread uses a channel, and reads or writes these as a whole.
    /// The socket; -1 after it was closed.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    package private(set) var descriptor: Int32
    /// The innermost TLS session; `nil` without TLS.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    package private(set) var tls: TLSSession?

    package init(_ descriptor: Int32, tls: TLSSession?) {
        self.descriptor = descriptor
        self.tls = tls
    }

    deinit { close() }

    /// Sends and receives everything through a session, which runs over the previous one if there is one.
    func secure(_ session: TLSSession) { tls = session }

    /// Closes the socket.
    package func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// Whether bytes were taken from the socket but not read yet; the system does not report such bytes.
    package var hasPendingBytes: Bool { tls?.hasPendingBytes ?? false }

    /// Whether a read that did not fill its buffer has taken everything that had arrived.
    var isDrained: Bool { tls?.isDrained ?? true }

    /// Reads the available bytes.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        if let tls { return tls.read(into: buffer) }
        return receive(into: buffer, flags: 0)
    }

    /// Offers the bytes that have arrived, and takes only those that are used; the rest stays for the next reader.
    ///
    /// - Parameters:
    ///   - buffer: The buffer for the bytes.
    ///   - use: Removes the bytes that it uses.
    /// - Returns: The result, with the number of bytes that were used.
    func offer(_ buffer: UnsafeMutableRawBufferPointer, to use: (inout UnsafeRawBufferPointer) -> Void) -> IOResult {
        // Decrypted bytes cannot be put back into TLS.
        let room = tls == nil ? buffer : UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(1))
        let result = tls?.read(into: room) ?? receive(into: room, flags: Int32(MSG_PEEK))
        guard case .bytes(let count) = result else { return result }
        var rest = UnsafeRawBufferPointer(rebasing: room[..<count])
        use(&rest)
        let used = count - rest.count
        guard tls == nil else { return .bytes(used) }
        var taken = 0
        while taken < used {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[taken..<used])
            let result = receive(into: rest, flags: 0)
            guard case .bytes(let count) = result else { return result }
            taken += count
        }
        return .bytes(used)
    }

    private func receive(into buffer: UnsafeMutableRawBufferPointer, flags: Int32) -> IOResult {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, flags)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: return .failed(.system(errno))
            }
        }
    }

    /// Writes as much as the system takes.
    package func write(_ bytes: UnsafeRawBufferPointer) -> IOResult {
        if let tls { return tls.write(bytes) }
        while true {
            let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: return .failed(.system(errno))
            }
        }
    }
}
#endif
