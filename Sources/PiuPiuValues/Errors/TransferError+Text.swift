extension TransferError.Code {
    package var words: ErrorWords {
        switch storage {
        case .unacceptableStatus:
            .init(
                "The server answered with a failure",
                "The server refused the request, or failed to answer it; the text has the status code.",
                "Read TransferError.body, which often says why. An option sets the codes that are failures.",
                setting: "DownloadOptions.failureStatusCodes"
            )
        case .sizeMismatch:
            .init(
                "The file does not have the expected size",
                "The server has another version of the file, or contradicts itself about its size.",
                "Check the expected size, and download the file again.",
                setting: "DownloadOptions.expectedSize"
            )
        case .digestMismatch:
            .init(
                "The file does not have the expected digest",
                "The file on the server is another one, or was damaged on the way.",
                "Check the expected digest, and download the file again. Do not use the file.",
                setting: "DownloadOptions.digest"
            )
        case .lineTooLong:
            .init(
                "A line of the stream is too long",
                "The stream is not made of lines, or its lines are longer than expected.",
                "Raise the limit, or read the stream as chunks.",
                setting: "lines(limit:)"
            )
        case .eventTooLong:
            .init(
                "An event of the stream is too long",
                "The stream is not made of server-sent events, or its events are longer than expected.",
                "Raise the limit, or read the stream as chunks.",
                setting: "serverSentEvents(limit:)"
            )
        case .bodyAlreadyRead:
            .init(
                "The body is being read elsewhere, or was abandoned",
                "Two tasks read one body, or a loop over it ended before the end and another one began.",
                "Read a body once, in one task, and keep what was read."
            )
        case .fileNotFound:
            .init(
                "There is no such file or folder",
                "The path is wrong, or a folder on it does not exist.",
                "Check the path, and create the folder first."
            )
        case .notARegularFile:
            .init(
                "It is not a regular file",
                "The path leads to a folder, a device or a pipe, or one of the folders on it is a file.",
                "Use the path of a file. All parts of the path before it must be folders. For a folder, use download(for:into:)."
            )
        case .permissionDenied:
            .init(
                "The file may not be read or written",
                "The user that runs the program has no permission for the file or its folder.",
                "Change the permissions, or use another folder."
            )
        case .noSpace:
            .init(
                "There is no space left for the file",
                "The disk or the quota is full, or would be after the download.",
                "Free some space, or use another disk."
            )
        case .fileInUse:
            .init(
                "Another download resumes the same file",
                "Two downloads, perhaps of two processes, have the same destination.",
                "Wait for the other download, or use another destination.",
                setting: "DownloadOptions.resume"
            )
        case .fileChanged:
            .init(
                "The file changed while it was being read",
                "Another program wrote to the file during the transfer.",
                "Send a copy of the file, or wait until it is complete. Start a download again."
            )
        case .fileFailed:
            .init(
                "The file could not be read or written",
                "The disk, or the server of a network drive, reported an error.",
                "The text has the system's message. Check the disk."
            )
        case .invalidPart:
            .init(
                "The form cannot be sent as it is",
                "The name, the file name or the type of a part has a character that is not allowed there.",
                "Correct the part that the text names."
            )
        case .bodyTooLarge:
            .init(
                "The body is too large to be held in memory",
                "A body that must be in memory is larger than the limit.",
                "Send the body from a file or as a stream, or raise the limit.",
                setting: "configuration.maximumBufferedBody"
            )
        case .lengthMismatch:
            .init(
                "The body does not have the length that was announced",
                "The stream produced more or fewer bytes than its length.",
                "Give the right length, or none."
            )
        case .bodyNotRepeatable:
            .init(
                "The body would have to be sent again, but was already consumed",
                "A redirect, a retry or a new credential needs the body of the request again, and it was a stream.",
                "Send the body as data or as a file, or make the stream in the closure of RequestBody so that it can "
                    + "start again."
            )
        case .duplicateDestination:
            .init(
                "Two downloads have the same destination",
                "Two items of the list have the same file.",
                "Give each item a file of its own."
            )
        }
    }
}
