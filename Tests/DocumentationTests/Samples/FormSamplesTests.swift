import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// The samples about forms.
struct FormSamplesTests {
    @Test func multipartFormData() throws {
        let url = Fixture.url
        let photoURL = FileManager.default.temporaryDirectory.appending(path: "piupiu-\(UUID().uuidString).jpeg")
        try Data([0xFF, 0xD8]).write(to: photoURL)
        defer { try? FileManager.default.removeItem(at: photoURL) }

        var form = MultipartFormData()
        form.append("Ada", name: "author")
        form.append(file: photoURL, name: "photo", contentType: "image/jpeg")

        var request = URLRequest(url: url, method: .post)
        request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
        request.httpBody = try form.encoded()

        #expect(Int64(request.httpBody?.count ?? 0) == (try form.contentLength()))
    }
}
