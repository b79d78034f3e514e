/// The page to which all entries of a file belong.
struct HARPage: Encodable {
    /// Times that only a browser knows.
    private struct Timings: Encodable {
        let onContentLoad = -1
        let onLoad = -1
    }

    /// The identifier with which entries refer to the page.
    static let id = "page_1"

    private let id = HARPage.id
    private let title = "PiuPiu"
    private let pageTimings = Timings()
    private let startedDateTime: String

    /// Creates the page; `startedDateTime` is the start time of its first exchange.
    init(startedDateTime: String) {
        self.startedDateTime = startedDateTime
    }
}
