#if os(Linux)
import CurlShim
import PiuPiuAsync

/// Sees what OpenSSL decides in the handshakes of a handle.
///
/// libcurl's codes do not tell which certificate was refused, nor what the server's alert was about. Nothing is decided
/// here, and a handshake that succeeds costs a few function calls.
struct TLSWitness {
    private let pointer: OpaquePointer

    /// Creates a witness; returns `nil` if libcurl works with another TLS library.
    init?() {
        guard let pointer = pp_tls_witness_create() else { return nil }
        self.pointer = pointer
    }

    /// Makes the handshakes of a handle known.
    ///
    /// - Parameter easy: The handle.
    /// - Returns: Whether libcurl agreed.
    func attach(to easy: OpaquePointer) -> Bool { pp_tls_witness_attach(pointer, easy) }

    /// Forgets what it saw.
    func reset() { pp_tls_witness_reset(pointer) }

    /// Gives the witness up; open connections keep it as long as they need it.
    func release() { pp_tls_witness_release(pointer) }

    /// What it saw of the newest handshake.
    var testimony: PPTLSTestimony { pp_tls_witness_testimony(pointer) }

    /// Whether the other side presented a certificate.
    var hasCertificate: Bool { !bytes(ofRefused: false).isEmpty }

    /// Returns the certificate that OpenSSL refused, or the other side's own.
    ///
    /// - Parameter isRefused: Whether the one that was refused is meant, which may be an authority's.
    /// - Returns: The certificate; `nil` if there is none, or it is unreadable.
    func certificate(ofRefused isRefused: Bool) -> TLSFailure.Certificate? {
        CertificateReader.certificate(bytes(ofRefused: isRefused))
    }

    private func bytes(ofRefused isRefused: Bool) -> [UInt8] {
        let capacity = CertificateReader.maximumSize
        return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = buffer.baseAddress.map { pp_tls_witness_certificate(pointer, isRefused, $0, capacity) } ?? 0
        }
    }
}
#endif
