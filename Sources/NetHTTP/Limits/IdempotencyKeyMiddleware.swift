internal import HTTPTypes
public import NetCore

/// Gives each request that changes something an `Idempotency-Key`, so that it may be repeated: a server that knows the field
/// does once what it is asked twice.
///
/// A key that the request brings stays. Put it outside of ``RetryMiddleware``: all attempts carry the same key.
///
///     let client = HTTPClient(
///         configuration: .init(
///             baseURL: "https://api.example.com", middleware: [IdempotencyKeyMiddleware(), RetryMiddleware()]))
public struct IdempotencyKeyMiddleware: Middleware, CallEnding {
    /// Makes a key; nil sends none.
    public typealias Key = @Sendable (PreparedRequest, CallContext) -> String?

    private let key: Key

    /// Takes where keys come from. Default the call's own id, for POST and PATCH. A key that is to hold over restarts of the
    /// program is one that the program has saved with what it wants done.
    public init(
        key: @escaping Key = { request, context in
            ["POST", "PATCH"].contains(request.head.method.rawValue) ? context.id.description : nil
        }
    ) {
        self.key = key
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard request.head.headerFields[.idempotencyKey] == nil, let key = key(request, context) else {
            return try await next(request, context)
        }
        guard HTTPField.isValidValue(key), !key.isEmpty else {
            throw context.error(
                .invalidRequest, phase: .middleware,
                message: "an idempotency key is empty, or holds a control character or blanks around it")
        }
        var request = request
        request.head.headerFields[.idempotencyKey] = key
        return try await next(request, context)
    }
}
