#if os(Linux)
import CShims
import Glibc

/// The thread of an event loop.
package enum EventLoopThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a detached thread, which retains the closure until it returns.
    ///
    /// - Parameters:
    ///   - name: The name of the thread.
    ///   - run: The work of the thread.
    /// - Throws: ``TransportError`` with the code `outOfResources`.
    package static func start(_ name: String, _ run: @escaping @Sendable () -> Void) throws {
        let body = Unmanaged.passRetained(Body(run))
        // Foundation's `Thread` doesn't report a failure to start.
        let code = cs_start_thread(name, body.toOpaque()) { body in
            guard let body else { return }
            Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
        }
        guard code == 0 else {
            body.release()
            throw TransportError(.outOfResources, underlyingDescription: String(cString: strerror(code)))
        }
    }
}
#endif
