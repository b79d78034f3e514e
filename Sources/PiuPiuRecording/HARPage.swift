/// The page to which all entries of a file belong.
struct HARPage: Encodable {
    /// Times that only a browser knows.
    private struct Timings: Encodable {
        let onContentLoad = -1
        let onLoad = -1
    }

    /// What entries name the page by.
    static let id = "page_1"

    private let id = HARPage.id
    private let title = "PiuPiu"
    private let pageTimings = Timings()
    private let startedDateTime: String

    /// Creates the page.
    ///
    /// - Parameter startedDateTime: When its first exchange started.
    init(startedDateTime: String) {
        self.startedDateTime = startedDateTime
    }
}
