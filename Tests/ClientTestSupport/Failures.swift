import NetHTTP
import Testing

/// Runs a call that must fail with a `NetError`, by itself or as `.failed`, and returns that error. `Failure` is the
/// request's typed failure.
func failure<Failure: Sendable>(
    as type: Failure.Type = Never.self, _ location: SourceLocation = #_sourceLocation,
    _ call: () async throws -> some Any
) async throws -> NetError {
    do {
        _ = try await call()
    } catch let error as APIError<Failure> {
        return try #require(error.netError, "rejected instead of failed: \(error)", sourceLocation: location)
    } catch let error as NetError {
        return error
    }
    throw try #require(nil as (any Error)?, "the call should have failed", sourceLocation: location)
}
