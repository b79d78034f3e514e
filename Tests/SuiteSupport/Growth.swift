import PiuPiuAsync

/// Whether the time that something takes grows with the size of its input, and not with the square of that.
package enum Growth {
    /// Compares the time for a size with the time for four times the size, in processor time of the thread.
    ///
    /// - Parameters:
    ///   - size: The smaller size.
    ///   - work: What is measured.
    /// - Throws: ``FuzzFailure`` if four times as much takes much more than four times as long in each of three attempts.
    package static func check(_ size: Int, _ work: (_ size: Int) throws -> Void) throws {
        for attempt in 1...3 {
            let one = try time { try work(size) }
            let four = try time { try work(4 * size) }
            // Four for what is linear, sixteen for squares, and some milliseconds for a table or a page that is new.
            if four < 9 * one + 0.02 { return }
            if attempt == 3 { throw FuzzFailure("four times the input takes more than nine times as long") }
        }
    }

    private static func time(_ work: () throws -> Void) rethrows -> Double {
        let start = now
        try work()
        return now - start
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
