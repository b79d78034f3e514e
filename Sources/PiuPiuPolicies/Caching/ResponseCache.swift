/// A private HTTP cache (RFC 9111), which responds to requests with stored responses, as browsers do.
///
/// Add it to the interceptors to use it:
///
/// ```swift
/// let cache = ResponseCache(.memory(limit: 20_000_000))
/// let dispatcher = URLRequestDispatcher(interceptors: [cache])
/// ```
///
/// Servers decide which responses are stored and for how long: see <doc:Caching>. The cache returns a fresh response without a
/// request, and revalidates a stale one if it has an entity tag or a date. The ``ResponseHead/cacheStatus`` of a response
/// describes how it was handled, and observers get it as ``ExchangeEvent/Kind/cached(_:)``.
///
/// ## Users
///
/// The cache returns a response only for requests with the same credentials as the original one: the fields `Authorization`,
/// `Cookie` and so on, those that ``RequestOptions/sensitiveHeaders`` names, user information in the URL, and the client
/// certificate. It therefore runs after all interceptors with ``Interceptor/distinguishesCallers``, wherever it is in the list.
/// If a later interceptor nevertheless adds a credential, the cache does not store the response. A cache for one user can
/// ignore `Cookie`: see ``init(_:ignoresCookies:)``.
///
/// Share one cache between dispatchers, or one folder between processes, if they reach the same servers under the same names,
/// and may get each other's responses.
///
/// ## Stored responses
///
/// The cache stores responses to `GET` that specify how long they are fresh, or have a validator, with any status except 206
/// and 304. It responds to `HEAD` from them. Requests with a body, with `Range` or with conditions of their own pass through,
/// and so do all others; if they are not safe, they remove the stored responses for the URL, for all users. The cache stores
/// the bodies of streams and downloads while they are read. It does not store cookies and trailers.
///
/// Each request of a redirect chain is handled on its own. With ``Coalescing``, equal requests that are not in the cache share
/// one exchange.
public final class ResponseCache: Interceptor {
    /// The place of the stored responses.
    public struct Location: Sendable {
        let storage: any ResponseStorage

        /// In memory, which is released with the cache.
        ///
        /// - Parameter limit: The approximate maximum size of the responses in bytes.
        /// - Returns: The location.
        public static func memory(limit: Int) -> Location { Location(storage: MemoryStorage(limit: limit)) }

        /// In files, for the next run of the program and for other processes.
        ///
        /// - Parameters:
        ///   - folder: A folder with no other content, such as one in the caches directory. It is created when needed.
        ///   - limit: The approximate maximum size of the files in bytes.
        /// - Returns: The location.
        public static func folder(_ folder: URL, limit: Int64) -> Location {
            Location(storage: FolderStorage(folder: folder, limit: limit))
        }

        /// In a storage of your own.
        ///
        /// - Parameter storage: The storage.
        /// - Returns: The location.
        public static func storage(_ storage: some ResponseStorage) -> Location { Location(storage: storage) }
    }

    /// The part of the cache that responses on their way need.
    final class Core: Sendable {
        let storage: any ResponseStorage
        let ignoresCookies: Bool
        let date: @Sendable () -> Date
        let fetches = Locked(CacheFetches())

        init(_ storage: any ResponseStorage, ignoresCookies: Bool, _ date: @escaping @Sendable () -> Date) {
            self.storage = storage
            self.ignoresCookies = ignoresCookies
            self.date = date
        }

        /// The present, in seconds since 1970.
        var now: Double { date().timeIntervalSince1970 }

        /// Stores a head without a body.
        func store(_ head: StoredHead, for key: CacheKey) async {
            _ = await storage.begin(head, for: key, length: 0)?.commit()
        }
    }

    private struct Refresh {
        var task: Task<Void, Never>?
    }

    let core: Core
    /// The revalidations in the background.
    private let refreshes = Locked([CacheKey: Refresh]())

    /// `true`: the cache looks up each request of a redirect chain by its own URL.
    public var interceptsEachHop: Bool { true }
    /// `false`: the cache treats requests with the same fields alike.
    public var distinguishesCallers: Bool { false }

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - location: The place of the stored responses.
    ///   - ignoresCookies: Whether a response also matches requests with another `Cookie`, or none, unless its `Vary` names
    ///     that field. All browsers ignore cookies in this way. Set it to `true` if all cookies that reach the cache belong to
    ///     one user, such as those of one ``CookieJar``: otherwise, every change of a cookie makes the stored responses
    ///     unusable.
    public convenience init(_ location: Location, ignoresCookies: Bool = false) {
        self.init(location, ignoresCookies: ignoresCookies, date: { Date() })
    }

    /// Creates a cache with a clock for tests.
    package init(_ location: Location, ignoresCookies: Bool = false, date: @escaping @Sendable () -> Date) {
        core = Core(location.storage, ignoresCookies: ignoresCookies, date)
    }

    deinit {
        for refresh in refreshes.withLock({ $0 }).values { refresh.task?.cancel() }
    }

    /// Removes all stored responses; responses on their way are not stored either.
    public func removeAll() async {
        core.fetches.withLock { $0.invalidate(nil) }
        await core.storage.removeAll()
    }

    /// Removes the stored responses for a URL, for all users.
    ///
    /// - Parameter url: The URL; its fragment and its user information do not matter.
    public func remove(_ url: URL) async {
        guard let target = try? RequestTarget(url) else { return }
        await remove([CacheKey.Resource(target)])
    }

    func remove(_ resources: [CacheKey.Resource]) async {
        guard !resources.isEmpty else { return }
        core.fetches.withLock { $0.invalidate(resources) }
        for resource in resources { await core.storage.removeAll(of: resource) }
    }

    /// Runs a revalidation in the background, unless there is already one for the same entry.
    func refresh(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
        let isFirst = refreshes.withLock { refreshes in
            guard refreshes[key] == nil else { return false }
            refreshes[key] = Refresh()
            return true
        }
        guard isFirst else { return }
        let task = Task { [weak self] in
            await work()
            self?.refreshes.withLock { $0[key] = nil }
        }
        // It may already have ended.
        refreshes.withLock { refreshes in
            if refreshes[key] != nil { refreshes[key] = Refresh(task: task) }
        }
    }

    /// Returns when no revalidation runs in the background.
    package func settle() async {
        for refresh in refreshes.withLock({ $0 }).values { await refresh.task?.value }
    }
}

extension ResponseCache: Redacted {
    /// The storage.
    package var shown: KeyValuePairs<String, Any> { ["storage": core.storage] }
}

extension ResponseCache: ComparingInterceptor, PromptInterceptor {
    /// Whether nothing but the rest of the chain is waited for: not if there are files.
    package var isPrompt: Bool { core.storage is MemoryStorage }
}
