import Foundation

/// Whether the process runs under a sanitizer.
public let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

/// Whether storms and random tests try their full number of times: `PIUPIU_THOROUGH` is set, as in one run of `.ci/run`.
public let isThorough = ProcessInfo.processInfo.environment["PIUPIU_THOROUGH"] != nil

/// How often something is tried that is tried a number of times: a tenth of that, unless the run is thorough.
///
/// - Parameter count: The number of times in a thorough run.
/// - Returns: The number of times, at least 1.
public func rounds(_ count: Int) -> Int { isThorough ? count : max(1, count / 10) }
