#if os(Linux)
import CurlShim
import PiuPiuAsync

/// Observes OpenSSL's decisions in the handshakes of a handle.
///
/// libcurl's codes report neither which certificate was refused nor the subject of the server's alert. A witness decides
/// nothing, and costs a few function calls for a successful handshake.
struct TLSWitness {
    private let pointer: OpaquePointer

    /// Creates a witness; returns `nil` if libcurl works with another TLS library.
    init?() {
        guard let pointer = pp_tls_witness_create() else { return nil }
        self.pointer = pointer
    }

    /// Attaches the witness to the handshakes of a handle, and returns whether libcurl agreed.
    func attach(to easy: OpaquePointer) -> Bool { pp_tls_witness_attach(pointer, easy) }

    /// Discards the recorded handshake.
    func reset() { pp_tls_witness_reset(pointer) }

    /// Releases the witness; open connections keep it while they need it.
    func release() { pp_tls_witness_release(pointer) }

    /// The record of the newest handshake.
    var testimony: PPTLSTestimony { pp_tls_witness_testimony(pointer) }

    /// Whether the peer presented a certificate.
    var hasCertificate: Bool { !bytes(ofRefused: false).isEmpty }

    /// Returns the certificate that OpenSSL refused, which may belong to an authority, or the peer's own; `nil` if there is
    /// none, or it is unreadable.
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
