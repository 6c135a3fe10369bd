/// Sees every attempt of a call on its way out and back: the one shape of all built-in features and of yours.
///
/// The client's list runs outermost first. Call `next` to go on: not at all to answer yourself, again to retry. Throw
/// what you like; the chain wraps a foreign error with this middleware's name. Code after `next` runs at the head of a
/// streamed response; what must happen at the end of the body goes into ``ResponseBody/onEnd(filling:_:)``.
///
///     struct Stamp: Middleware {
///         func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
///             var request = request
///             request.head.headerFields[.userAgent] = "example/1.0"
///             return try await next(request, context)
///         }
///     }
public protocol Middleware: Sendable {
    /// The name that errors carry. Default: the type's name.
    var name: String { get }
    /// Handles one request.
    func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse
}

extension Middleware {
    public var name: String { String(describing: Self.self) }
}

/// The rest of the chain: further middleware, then the transport.
public struct Next: Sendable {
    private let run: @Sendable (PreparedRequest, CallContext) async throws(NetError) -> StreamedResponse

    /// Wraps a function, to call a middleware on its own in a test.
    public init(_ run: @escaping @Sendable (PreparedRequest, CallContext) async throws(NetError) -> StreamedResponse) {
        self.run = run
    }

    /// Goes on with the request.
    public func callAsFunction(
        _ request: PreparedRequest, _ context: CallContext
    ) async throws(NetError) -> StreamedResponse {
        try await run(request, context)
    }
}
