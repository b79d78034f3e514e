import PiuPiuAsync
import Testing

/// Returns the code of the `WebSocketError` that an operation throws; `nil` if it throws none, which fails the test.
func code(_ operation: () async throws -> Void) async -> WebSocketError.Code? {
    do {
        try await operation()
    } catch let error as WebSocketError {
        return error.code
    } catch {
        Issue.record(error)
    }
    return nil
}
