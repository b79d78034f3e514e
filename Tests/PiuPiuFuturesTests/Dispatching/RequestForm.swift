import PiuPiuFutures
import PiuPiuTesting

/// The ways in which the documents make a future of a request.
enum RequestForm: String, CaseIterable, Sendable {
    case data, dataClosure, upload, uploadBody, uploadClosure, download, downloadClosure

    /// Those with a closure that makes the request.
    static let closures: [RequestForm] = [.dataClosure, .uploadClosure, .downloadClosure]

    /// Makes the future, and leaves the type of its value out.
    func future(
        _ dispatcher: any DataDispatcher & UploadDispatcher & DownloadDispatcher,
        _ url: URL,
        to destination: URL = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString),
        body: Data = Data("body".utf8),
        request: (@Sendable () throws -> URLRequest?)? = nil
    ) -> ResponseFuture<HTTPResponse<String>> {
        let sent = URLRequest(url: url, method: rawValue.hasPrefix("upload") ? .put : .get)
        let request = request ?? { sent }
        return switch self {
        case .data: Self.text(dispatcher.dataFuture(from: sent))
        case .dataClosure: Self.text(dispatcher.dataFuture(from: request))
        case .upload: Self.text(dispatcher.uploadFuture(from: sent, with: body))
        case .uploadBody: Self.text(dispatcher.uploadFuture(from: sent, with: .data(body)))
        case .uploadClosure: Self.text(dispatcher.uploadFuture(with: body, from: request))
        case .download: Self.saved(dispatcher.downloadFuture(from: sent, to: destination))
        case .downloadClosure: Self.saved(dispatcher.downloadFuture(destination: destination, from: request))
        }
    }

    private static func text(
        _ future: ResponseFuture<Response<Data?>>
    ) -> ResponseFuture<HTTPResponse<String>> {
        future.makeHTTPResponse().then { response in response.map { String(decoding: $0 ?? Data(), as: UTF8.self) } }
    }

    private static func saved(_ future: ResponseFuture<Response<URL>>) -> ResponseFuture<HTTPResponse<String>> {
        future.then { response in
            let text = try String(contentsOf: response.data, encoding: .utf8)
            try FileManager.default.removeItem(at: response.data)
            return try HTTPResponse(response: response, data: text)
        }
    }
}
