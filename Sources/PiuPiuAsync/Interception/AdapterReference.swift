/// An adapter that a dispatcher holds strongly or weakly.
struct AdapterReference<Adapter: Sendable>: Sendable {
    /// The type of the adapter, for descriptions.
    let typeName: String
    /// The adapter if it never waits.
    let prompt: (any PromptAdapter)?
    private let adapter: @Sendable () -> Adapter?

    private init(
        _ typeName: String,
        prompt: (any PromptAdapter)? = nil,
        _ adapter: @escaping @Sendable () -> Adapter?
    ) {
        self.typeName = typeName
        self.prompt = prompt
        self.adapter = adapter
    }

    /// Creates a reference that keeps the adapter alive.
    init(strong adapter: Adapter) {
        self.init("\(type(of: adapter))", prompt: adapter as? any PromptAdapter) { adapter }
    }

    /// Returns the adapter; throws ``TransportError`` with the code `adapterReleased` if it was released.
    func adapter(for request: TransportRequest) throws -> Adapter {
        if let adapter = adapter() { return adapter }
        let code = TransportError.Code.adapterReleased
        let reason = "\(code.text): keep the \(typeName), or use requestAdapters: and responseAdapters:"
        throw request.error(code, reason: reason)
    }
}

extension AdapterReference<any URLRequestAdapter> {
    /// Creates a reference that keeps a value, but not an object alive, so that the object may own the dispatcher.
    init(weak adapter: any URLRequestAdapter) {
        // On Apple systems, the second cast alone would put a value into an object.
        if type(of: adapter) is AnyClass, let object = adapter as? any URLRequestAdapter & AnyObject {
            self.init("\(type(of: adapter))") { [weak object] in object }
        } else {
            self.init(strong: adapter)
        }
    }
}

extension AdapterReference<any URLResponseAdapter> {
    /// Creates a reference that keeps a value, but not an object alive, so that the object may own the dispatcher.
    init(weak adapter: any URLResponseAdapter) {
        if type(of: adapter) is AnyClass, let object = adapter as? any URLResponseAdapter & AnyObject {
            self.init("\(type(of: adapter))") { [weak object] in object }
        } else {
            self.init(strong: adapter)
        }
    }
}

extension AdapterReference: Redacted {
    /// The type of the adapter, which may hold tokens.
    package var shown: KeyValuePairs<String, Any> { ["adapter": typeName] }
}
