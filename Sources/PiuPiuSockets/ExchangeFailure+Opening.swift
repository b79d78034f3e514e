#if os(Linux)
import PiuPiuEngine

extension ExchangeFailure {
    /// Creates the failure of an exchange whose connection could not be opened.
    init(_ failure: OpenFailure) {
        switch failure.kind {
        case .cannotConnect: self.init(.cannotConnect, underlyingDescription: failure.text)
        case .outOfResources: self.init(.outOfResources, underlyingDescription: failure.text)
        case .cannotApply(let setting): self.init(.unsupported, reason: "The system cannot apply \(setting)")
        case .forbidden(let reason):
            let code = TransportError.Code.forbiddenAddress
            self.init(code, reason: "\(code.text): \(reason)")
        }
    }

    /// Creates the failure of an exchange whose host has no address.
    init(_ failure: LookupFailure) {
        let code: TransportError.Code = failure.kind == .outOfResources ? .outOfResources : .cannotResolveHost
        self.init(code, underlyingDescription: failure.text)
    }
}
#endif
