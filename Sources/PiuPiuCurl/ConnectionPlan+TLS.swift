#if os(Linux)
import CurlShim
import PiuPiuAsync

extension ConnectionPlan {
    /// Returns the origin of a target if it has its own TLS settings.
    func tlsOrigin(for target: RequestTarget) -> String? { tls.rules.origin(for: target) }

    /// Returns libcurl's options for the TLS settings of a key.
    func tlsOptions(for key: Key) throws -> [CurlOption] {
        let options = tls.material(for: key.tls).options
        guard let origin = key.tls else { return options }
        guard let list = SPKIPin.curlText(try tls.rules.pins(of: origin)) else { return options }
        return options + [CurlOption(PP_CURLOPT_PINNEDPUBLICKEY, .text(list), "pins of public keys")]
    }
}
#endif
