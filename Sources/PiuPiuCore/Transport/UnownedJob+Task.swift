@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UnownedJob {
    /// The type of the objects that are tasks: the first word of each object in Swift.
    // A `Task` and an `UnownedJob` are one pointer to an object each, and there is no public API that tells jobs apart. If a version
    // of Swift used another type for some tasks, these would run on the global executor; `actorsDoNotRunOnTheLoop` and
    // `callersAndInterceptorsRunOnTheLoop` would notice.
    private static let typeOfTasks = {
        // The task may end, and its memory be used again, as soon as nothing refers to it.
        withExtendedLifetime(Task<Void, Never> {}) { unsafeBitCast($0, to: UnsafeRawPointer.self).load(as: UInt.self) }
    }()

    /// Whether this is a part of a task, and not the work of a default actor.
    ///
    /// An actor that a task calls enqueues its work on the task's executor (SE-0417). That work belongs to all callers of the
    /// actor: it may take long, and they must not wait for the thread of one. An executor that gives its thread to certain tasks
    /// only passes it on to the global executor.
    package var isOfTask: Bool {
        unsafeBitCast(self, to: UnsafeRawPointer.self).load(as: UInt.self) == Self.typeOfTasks
    }
}
