internal import HTTPTypes
public import NetCore

/// Adds an `Idempotency-Key` to each request that changes something, which makes it safe to repeat: a server that
/// supports the header performs repeated requests once.
///
/// A key that the request already has is kept. Put it outside of ``RetryMiddleware``: all attempts send the same key.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [IdempotencyKeyMiddleware(), RetryMiddleware()]
///     }
public struct IdempotencyKeyMiddleware: Middleware {
    /// Returns the key for a request; nil to send none.
    public typealias Key = @Sendable (PreparedRequest, CallContext) -> String?

    private let key: Key

    /// Creates the middleware.
    ///
    /// - Parameter key: Returns the key for a request. Default: the call's own ID, for POST and PATCH. If a key must
    ///   survive restarts of the program, save it along with the work and return it here.
    public init(
        key: @escaping Key = { request, context in
            ["POST", "PATCH"].contains(request.head.method.rawValue) ? context.id.description : nil
        }
    ) {
        self.key = key
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard request.head.headerFields[.idempotencyKey] == nil, let key = key(request, context) else {
            return try await next(request, context)
        }
        guard HTTPField.isValidValue(key), !key.isEmpty else {
            throw context.error(
                .invalidRequest, phase: .middleware,
                message: "an idempotency key is empty, or contains a control character or surrounding blanks")
        }
        var request = request
        request.head.headerFields[.idempotencyKey] = key
        return try await next(request, context)
    }
}
