/// A file in a list of downloads: its request and its destination.
public struct DownloadItem: Sendable {
    /// The request.
    public var request: URLRequest
    /// The URL of the file.
    public var destination: URL
    /// The options of this download; those of the list by default.
    public var options: DownloadOptions?

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: The URL of the file.
    ///   - options: The options of this download, such as its digest; those of the list by default.
    public init(_ request: URLRequest, to destination: URL, options: DownloadOptions? = nil) {
        self.request = request
        self.destination = destination
        self.options = options
    }

    /// Throws ``TransferError`` with the code `duplicateDestination` if two items have the same destination.
    ///
    /// Destinations are compared by their paths, after `.`, `..` and repeated slashes are removed. A link to a file counts as
    /// that file; links to folders are not followed. Several items may go to the same pipe or device.
    static func checkDestinations(of items: [DownloadItem]) throws(TransferError) {
        var paths: Set<String> = []
        paths.reserveCapacity(items.count)
        for item in items {
            var file = item.destination
            switch try? FileDestination(file) {
            case .file(let target): file = target
            case .stream: continue
            // The item's download reports the error of its destination.
            case nil: break
            }
            guard paths.insert(path(of: file)).inserted else {
                throw TransferError(.duplicateDestination, file: item.destination)
            }
        }
    }

    private static func path(of url: URL) -> String {
        var parts: [Substring] = []
        // Split bytes, because a slash and a combining mark after it form one character.
        for bytes in url.absoluteURL.path(percentEncoded: false).utf8.split(separator: UInt8(ascii: "/")) {
            let part = Substring(bytes)
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}

extension DownloadItem: Redacted {
    /// The address and the destination, without query and header fields.
    package var shown: KeyValuePairs<String, Any> {
        [
            "request": Redaction.standard.location(of: request.url),
            "destination": destination.path(percentEncoded: false),
        ]
    }
}
