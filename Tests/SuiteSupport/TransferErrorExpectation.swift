import PiuPiuAsync
import Testing

/// Checks that an action throws a ``TransferError`` with a code.
@discardableResult
package func expect(
    _ code: TransferError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ action: () async throws -> some Any
) async -> TransferError? {
    do {
        let result = try await action()
        Issue.record("\(result) instead of an error", sourceLocation: sourceLocation)
    } catch let error as TransferError {
        #expect(error.code == code, sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
}
