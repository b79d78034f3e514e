extension URLRequestDispatcher: DownloadDispatcher {
    /// Saves a response's body to a file; see ``DownloadDispatcher/download(for:to:options:)``.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: The URL of the file.
    ///   - options: Which responses are accepted, how the file is checked, and whether the download can resume.
    /// - Returns: The transfer, which starts when it is iterated and does not keep the dispatcher alive.
    public nonisolated func download(
        for request: URLRequest,
        to destination: URL,
        options: DownloadOptions
    ) -> Transfer<URL> {
        Transfer(.receiving) { [core] reporter in
            try await core.download(request, to: destination, options: options, reporter: reporter)
        }
        .timed(by: core.clock)
    }

    /// Saves a response's body to a file in a folder, under the name that the server proposes.
    ///
    /// The name is ``ResponseInterface/suggestedFileName``; without one, it is the last component of the path of the response's
    /// URL, or `download` if that cannot be a name or the disk refuses it. No file in the folder is replaced: if the name is
    /// taken, a number is added, as in `report (1).pdf`. The file is hidden until it is complete and checked. Missing folders
    /// are created. A failed or cancelled download leaves nothing behind, and cannot be resumed, because it has no name yet:
    /// ``DownloadOptions/resume`` has no effect.
    ///
    /// In addition to the errors of ``download(for:to:options:)``, the transfer throws ``TransferError/Code/notARegularFile``
    /// if the folder is a file, and ``TransferError/Code/fileFailed`` if 10,000 such names are taken.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - folder: The URL of the folder.
    ///   - options: Which responses are accepted, and how the file is checked.
    /// - Returns: The transfer, as for ``download(for:to:options:)``; its response's body is the file. A 304 response is a
    ///   failure.
    public nonisolated func download(
        for request: URLRequest,
        into folder: URL,
        options: DownloadOptions = DownloadOptions()
    ) -> Transfer<URL> {
        Transfer(.receiving) { [core] reporter in
            try await core.download(request, to: folder, isFolder: true, options: options, reporter: reporter)
        }
        .timed(by: core.clock)
    }
}

extension URLRequestDispatcher: UploadDispatcher {
    /// Sends a body and collects the response; see ``UploadDispatcher/upload(for:from:)``.
    ///
    /// - Parameters:
    ///   - request: The request, with a method that takes a body, and without a body.
    ///   - body: The body to send.
    /// - Returns: The transfer, which starts when it is iterated and does not keep the dispatcher alive.
    public nonisolated func upload(for request: URLRequest, from body: RequestBody) -> Transfer<Data?> {
        upload(request, body, nil)
    }

    /// Sends a body with its own limits and collects the response.
    ///
    /// - Parameters:
    ///   - request: The request, with a method that takes a body, and without a body.
    ///   - body: The body to send.
    ///   - options: The limits, in place of the configuration's.
    /// - Returns: The transfer, as for ``upload(for:from:)``.
    public nonisolated func upload(
        for request: URLRequest,
        from body: RequestBody,
        options: RequestOptions
    ) -> Transfer<Data?> {
        upload(request, body, options)
    }

    private nonisolated func upload(
        _ request: URLRequest,
        _ body: RequestBody,
        _ options: RequestOptions?
    ) -> Transfer<Data?> {
        Transfer(sending: body) { [core] reporter in
            try await core.data(for: request, body: body, options: options, reporter: reporter)
        }
        .timed(by: core.clock)
    }
}
