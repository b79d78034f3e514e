/// A private HTTP cache (RFC 9111): answers requests with responses that were stored before, as browsers do.
///
/// It is off unless it is among the interceptors:
///
/// ```swift
/// let cache = ResponseCache(.memory(limit: 20_000_000))
/// let dispatcher = URLRequestDispatcher(interceptors: [cache])
/// ```
///
/// Servers decide what is stored and for how long: see <doc:Caching>. A response that is still fresh is returned without a
/// request; one that is not is revalidated, if it has an entity tag or a date. The ``ResponseHead/cacheStatus`` of a response
/// says what happened, and observers get it as ``ExchangeEvent/Kind/cached(_:)``.
///
/// ## Users
///
/// A response is returned only to requests with the same credentials as the one that it was stored for: the fields
/// `Authorization`, `Cookie` and so on, those that ``RequestOptions/sensitiveHeaders`` names, user information in the URL, and
/// the certificate of the client. The cache therefore stands behind all interceptors with
/// ``Interceptor/distinguishesCallers``, wherever it is in the list. If a later interceptor adds a credential all the same, the
/// response is not stored. A cache for one user can leave `Cookie` out: see ``init(_:ignoresCookies:)``.
///
/// Share one cache between dispatchers, or one folder between processes, if they reach the same servers under the same names,
/// and may have each other's responses.
///
/// ## What is stored
///
/// Responses to `GET` that say how long they are fresh, or have a validator; with any status except 206 and 304. `HEAD` is
/// answered from them. Requests with a body, with `Range` or with conditions of their own pass through, and so do all others;
/// if they are not safe, they remove what is stored for the URL, whatever user it is for. The bodies of streams and downloads
/// are stored while they are read. Cookies and trailers are not stored.
///
/// Each request of a redirect chain is one of its own. With ``Coalescing``, equal requests for what is not stored are one.
public final class ResponseCache: Interceptor {
    /// Where responses are kept.
    public struct Location: Sendable {
        let storage: any ResponseStorage

        /// In memory: gone with the cache.
        ///
        /// - Parameter limit: The most bytes that the responses take together, about.
        /// - Returns: The location.
        public static func memory(limit: Int) -> Location { Location(storage: MemoryStorage(limit: limit)) }

        /// In files, for the next run of the program and for other processes.
        ///
        /// - Parameters:
        ///   - folder: A folder for nothing else, such as one in the caches directory. It is created when needed.
        ///   - limit: The most bytes that the files take together, about.
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

    /// What the responses on their way need of the cache.
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

    /// `true`: each request of a redirect chain is looked up by its own URL.
    public var interceptsEachHop: Bool { true }
    /// `false`: requests with the same fields are treated alike.
    public var distinguishesCallers: Bool { false }

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - location: Where responses are kept.
    ///   - ignoresCookies: Whether a response is also for requests with another `Cookie`, or none, unless its `Vary` names
    ///     that field. All browsers do so. Set it to `true` if all cookies that reach the cache are those of one user, such
    ///     as those of one ``CookieJar``: a jar in which any cookie changes otherwise begins with nothing stored.
    public convenience init(_ location: Location, ignoresCookies: Bool = false) {
        self.init(location, ignoresCookies: ignoresCookies, date: { Date() })
    }

    /// Creates a cache with a clock of its own, for tests.
    package init(_ location: Location, ignoresCookies: Bool = false, date: @escaping @Sendable () -> Date) {
        core = Core(location.storage, ignoresCookies: ignoresCookies, date)
    }

    deinit {
        for refresh in refreshes.withLock({ $0 }).values { refresh.task?.cancel() }
    }

    /// Removes everything that is stored; responses that are on their way are not stored either.
    public func removeAll() async {
        core.fetches.withLock { $0.invalidate(nil) }
        await core.storage.removeAll()
    }

    /// Removes what is stored for a URL, whatever user it is for.
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

    /// Runs a revalidation that no call waits for, unless there is one of the same entry.
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
        // It may be over already.
        refreshes.withLock { refreshes in
            if refreshes[key] != nil { refreshes[key] = Refresh(task: task) }
        }
    }

    /// Returns when no revalidation is under way in the background.
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
    var isPrompt: Bool { core.storage is MemoryStorage }
}
