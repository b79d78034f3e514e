import Foundation

/// Whether the process runs under a sanitizer.
public let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

/// How often something is tried that is tried a number of times: a tenth of that under a sanitizer, which makes each try
/// several times as long and finds in few what it finds at all.
///
/// - Parameter count: The number of times without a sanitizer.
/// - Returns: The number of times, at least 1.
public func rounds(_ count: Int) -> Int { isSanitized ? max(1, count / 10) : count }
