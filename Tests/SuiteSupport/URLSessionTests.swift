import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// Of tests that send over Foundation's `URLSession`: on Linux they run only if `PIUPIU_URLSESSION` is set.
    ///
    /// There, Foundation can end the process, and all other tests with it: once in some thirty runs, its event loop read memory
    /// that was gone. `.ci/run` runs them in a process of their own.
    package static var urlSession: Self {
        #if os(Linux)
        .enabled(
            if: ProcessInfo.processInfo.environment["PIUPIU_URLSESSION"] != nil,
            "PIUPIU_URLSESSION is not set"
        )
        #else
        .enabled(if: true)
        #endif
    }
}
