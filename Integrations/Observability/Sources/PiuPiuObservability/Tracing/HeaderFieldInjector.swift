import PiuPiuAsync
import Tracing

/// Writes what instruments carry on into header fields.
struct HeaderFieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPHeaderFields) {
        carrier[key] = value
    }
}
