import PiuPiuAsync
import Testing

/// Expects an operation to throw an error with a code.
package func expect<T>(
    _ code: TransportError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ operation: () async throws -> T
) async {
    let error = await error(of: operation)
    #expect((error as? TransportError)?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
}

/// Expects an operation to throw an error with a code.
package func expect<T>(
    _ code: PaginationError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ operation: () async throws -> T
) async {
    let error = await error(of: operation)
    #expect((error as? PaginationError)?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
}

private func error<T>(of operation: () async throws -> T) async -> (any Error)? {
    do {
        _ = try await operation()
        return nil
    } catch {
        return error
    }
}
