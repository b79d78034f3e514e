extension TransferError.Code {
    /// The failure, as the beginning of an error's text.
    package var text: String {
        switch storage {
        case .unacceptableStatus: "The server answered with a failure"
        case .sizeMismatch: "The file does not have the expected size"
        case .digestMismatch: "The file does not have the expected digest"
        case .lineTooLong: "A line of the stream is too long"
        case .eventTooLong: "An event of the stream is too long"
        case .bodyAlreadyRead: "The body is being read elsewhere, or was abandoned"
        case .fileNotFound: "There is no such file or folder"
        case .notARegularFile: "It is not a regular file"
        case .permissionDenied: "The file may not be read or written"
        case .noSpace: "There is no space left for the file"
        case .fileInUse: "Another download resumes the same file"
        case .fileChanged: "The file changed while it was being read"
        case .fileFailed: "The file could not be read or written"
        case .invalidPart: "The form cannot be sent as it is"
        case .bodyTooLarge: "The body is too large to be held in memory"
        case .lengthMismatch: "The body does not have the length that was announced"
        case .bodyNotRepeatable: "The body would have to be sent again, but was already consumed"
        case .duplicateDestination: "Two downloads have the same destination"
        }
    }

    /// The usual cause and the remedy.
    package var explanation: ErrorExplanation {
        switch storage {
        case .unacceptableStatus:
            .init(
                1,
                "The server refused the request, or failed to answer it; the text has the status code.",
                "Read TransferError.body, which often says why. An option sets the codes that are failures.",
                setting: "DownloadOptions.failureStatusCodes"
            )
        case .sizeMismatch:
            .init(
                2,
                "The server has another version of the file, or contradicts itself about its size.",
                "Check the expected size, and download the file again.",
                setting: "DownloadOptions.expectedSize"
            )
        case .digestMismatch:
            .init(
                3,
                "The file on the server is another one, or was damaged on the way.",
                "Check the expected digest, and download the file again. Do not use the file.",
                setting: "DownloadOptions.digest"
            )
        case .lineTooLong:
            .init(
                4,
                "The stream is not made of lines, or its lines are longer than expected.",
                "Raise the limit, or read the stream as chunks.",
                setting: "lines(limit:)"
            )
        case .eventTooLong:
            .init(
                5,
                "The stream is not made of server-sent events, or its events are longer than expected.",
                "Raise the limit, or read the stream as chunks.",
                setting: "serverSentEvents(limit:)"
            )
        case .bodyAlreadyRead:
            .init(
                6,
                "Two tasks read one body, or a loop over it ended before the end and another one began.",
                "Read a body once, in one task, and keep what was read."
            )
        case .fileNotFound:
            .init(
                7,
                "The path is wrong, or a folder on it does not exist.",
                "Check the path, and create the folder first."
            )
        case .notARegularFile:
            .init(
                8,
                "The path leads to a folder, a device or a pipe, or one of the folders on it is a file.",
                "Use the path of a file. All parts of the path before it must be folders. For a folder, use download(for:into:)."
            )
        case .permissionDenied:
            .init(
                9,
                "The user that runs the program has no permission for the file or its folder.",
                "Change the permissions, or use another folder."
            )
        case .noSpace:
            .init(
                10,
                "The disk or the quota is full, or would be after the download.",
                "Free some space, or use another disk."
            )
        case .fileInUse:
            .init(
                11,
                "Two downloads, perhaps of two processes, have the same destination.",
                "Wait for the other download, or use another destination.",
                setting: "DownloadOptions.resume"
            )
        case .fileChanged:
            .init(
                12,
                "Another program wrote to the file during the transfer.",
                "Send a copy of the file, or wait until it is complete. Start a download again."
            )
        case .fileFailed:
            .init(
                13,
                "The disk, or the server of a network drive, reported an error.",
                "The text has the system's message. Check the disk."
            )
        case .invalidPart:
            .init(
                14,
                "The name, the file name or the type of a part has a character that is not allowed there.",
                "Correct the part that the text names."
            )
        case .bodyTooLarge:
            .init(
                15,
                "A body that must be in memory is larger than the limit.",
                "Send the body from a file or as a stream, or raise the limit.",
                setting: "configuration.maximumBufferedBody"
            )
        case .lengthMismatch:
            .init(
                16,
                "The stream produced more or fewer bytes than its length.",
                "Give the right length, or none."
            )
        case .bodyNotRepeatable:
            .init(
                17,
                "A redirect, a retry or a new credential needs the body of the request again, and it was a stream.",
                "Send the body as data or as a file, or make the stream in the closure of RequestBody so that it can "
                    + "start again."
            )
        case .duplicateDestination:
            .init(
                18,
                "Two items of the list have the same file.",
                "Give each item a file of its own."
            )
        }
    }
}
