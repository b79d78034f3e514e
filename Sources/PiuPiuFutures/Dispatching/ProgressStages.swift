/// Decides which changes of a request's progress are updates of its future, and which updates must be delivered.
///
/// It is a pure value. PiuPiu 1.11 updated its futures when a request began, when its head arrived, and whenever bytes had
/// moved, including the last ones:
///
/// | Change | Update |
/// |---|---|
/// | the request begins, or a dispatcher that reports no beginning reports its first change | a stage |
/// | the length of the response becomes known | a stage, unless the body is empty |
/// | bytes move | one that a newer update may replace |
/// | the last bytes of the response arrive | none: the update at the end replaces it |
/// | the request ends with a response | a stage |
/// | the request ends without a response | a stage if all bytes had arrived, otherwise none |
///
/// A small `GET` therefore has three updates, one without a body has two, and one that finds no server has one.
struct ProgressStages: Sendable {
    /// The effect of a change.
    enum Update: Sendable, Equatable {
        case none, moved, stage
    }

    private var hasBegun = false
    /// Whether the last bytes have arrived, without an update.
    private var isHeld = false

    /// Classifies the beginning of the request.
    mutating func begin() -> Update {
        hasBegun = true
        return .stage
    }

    /// Classifies a change of the progress.
    mutating func change(from old: TransferProgress, to new: TransferProgress) -> Update {
        guard hasBegun else { return begin() }
        let hasMoved = new.bytesSent != old.bytesSent || new.bytesReceived != old.bytesReceived
        let hasLength = new.bytesToReceive != old.bytesToReceive
        guard hasMoved || hasLength else { return .none }
        isHeld = new.bytesToReceive == new.bytesReceived
        if isHeld { return .none }
        return hasMoved ? .moved : .stage
    }

    /// Classifies the end of the request, with or without a response.
    mutating func end(hasResponse: Bool) -> Update {
        hasBegun && (hasResponse || isHeld) ? .stage : .none
    }
}
