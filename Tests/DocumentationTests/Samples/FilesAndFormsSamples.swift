import PiuPiuAsync

/// The samples of the article on files and forms; the transfers are run elsewhere.
struct FilesAndFormsSamples {
    private func form(_ url: URL, password: String) throws -> URLRequest {
        var request = URLRequest(url: url, method: .post)
        request.setFormBody(["user": "ada", "password": password, "scope": ["read", "write"]])
        return request
    }

    struct Search: Encodable {
        var text: String
        var page: Int?
    }

    private func encodable(_ url: URL) throws -> URLRequest {
        var request = URLRequest(url: url, method: .post)
        try request.setFormBody(encodable: Search(text: "C++ & Swift", page: 2))
        return request
    }

    private func multipart(_ dispatcher: URLRequestDispatcher, _ url: URL, photo: URL, report: Data) async throws
        -> Response<Data?>
    {
        var form = MultipartFormData()
        form.append("Ada", name: "author")
        form.append(file: photo, name: "photo", contentType: "image/jpeg")
        form.append(report, name: "report", fileName: "report.json", contentType: "application/json")

        let request = URLRequest(url: url, method: .post)
        let response = try await dispatcher.upload(for: request, from: .multipart(form)).response().validated()
        return response
    }

    struct Avatar: Decodable { var id: Int }

    private func oneCall(_ api: URLRequestDispatcher, photo: URL, report: URL) async throws -> Avatar {
        let avatar: Avatar = try await api.post("/avatar", multipart: ["name": "Ada", "photo": .file(photo)])
        try await api.put("/files/report.pdf", headers: [.contentType: "application/pdf"], file: report)
        return avatar
    }

    private func literal(_ photoURL: URL) -> MultipartFormData {
        let form: MultipartFormData = ["author": "Ada", "photo": .file(photoURL, contentType: "image/jpeg")]
        return form
    }

    private func progress(_ dispatcher: URLRequestDispatcher, _ request: URLRequest, file: URL) async throws {
        for try await event in dispatcher.upload(for: request, from: .file(file)) {
            switch event {
            case .progress(let progress): print(progress.fractionSent ?? 0)
            case .finished(let response): print(try response.validated().decodeText())
            }
        }
    }

    private func rows(_ dispatcher: URLRequestDispatcher, _ url: URL, _ lines: AsyncStream<String>) async throws
        -> Response<Data?>
    {
        var request = URLRequest(url: url, method: .post)
        request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
        let rows = lines.map { Data(($0 + "\n").utf8) }
        let response = try await dispatcher.upload(for: request, from: .stream(rows)).response().validated()
        return response
    }

    private func save(_ dispatcher: URLRequestDispatcher, _ request: URLRequest, file: URL) async throws -> URL {
        var options = DownloadOptions()
        options.resume = .ifPossible
        options.maximumSize = 1 << 30
        let saved = try await dispatcher.download(for: request, to: file, options: options).response()
        return saved.data
    }

    private func save(_ dispatcher: URLRequestDispatcher, _ request: URLRequest, into folder: URL) async throws {
        let report = try await dispatcher.download(for: request, into: folder).response()
        print(report.data.lastPathComponent)
    }
}
