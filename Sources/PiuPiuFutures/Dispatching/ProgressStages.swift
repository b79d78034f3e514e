/// Which changes of a request's progress a future is told, and which of them it must not miss: a pure value.
///
/// PiuPiu 1.11 told its futures when a request was begun, when its head arrived, and whenever bytes had moved, the last ones
/// included:
///
/// | Change | Update |
/// |---|---|
/// | the request begins, or the first change of a dispatcher that does not say so | a stage |
/// | the length of the response becomes known | a stage, unless the body is empty |
/// | bytes move | one that a newer one may replace |
/// | the last bytes of the response arrive | none: the end follows, which is told instead |
/// | the request ends with a response | a stage |
/// | the request ends without one | a stage if all bytes had arrived, otherwise none |
///
/// A small `GET` therefore has three updates, one without a body has two, and one that finds no server has one.
struct ProgressStages: Sendable {
    /// What to do with a change.
    enum Update: Sendable, Equatable {
        case none, moved, stage
    }

    private var hasBegun = false
    /// Whether the last bytes have arrived, which was not told.
    private var isHeld = false

    /// Classifies the beginning of the request.
    ///
    /// - Returns: What to tell.
    mutating func begin() -> Update {
        hasBegun = true
        return .stage
    }

    /// Classifies a change.
    ///
    /// - Parameters:
    ///   - old: The progress before.
    ///   - new: The progress after.
    /// - Returns: What to tell.
    mutating func change(from old: TransferProgress, to new: TransferProgress) -> Update {
        guard hasBegun else { return begin() }
        let hasMoved = new.bytesSent != old.bytesSent || new.bytesReceived != old.bytesReceived
        let hasLength = new.bytesToReceive != old.bytesToReceive
        guard hasMoved || hasLength else { return .none }
        isHeld = new.bytesToReceive == new.bytesReceived
        if isHeld { return .none }
        return hasMoved ? .moved : .stage
    }

    /// Classifies the end of the request.
    ///
    /// - Parameter hasResponse: Whether there is a response.
    /// - Returns: What to tell.
    mutating func end(hasResponse: Bool) -> Update {
        hasBegun && (hasResponse || isHeld) ? .stage : .none
    }
}
