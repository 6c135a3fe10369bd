/// An interceptor of requests and responses. All built-in features are implemented as middleware.
///
/// The client's list runs outermost first. Call `next` to continue: don't call it to respond yourself, and call it
/// again to retry. Code after `next` runs when the head of a streamed response has arrived; work for the end of the
/// body goes into ``ResponseBody/onEnd(filling:_:)``.
///
/// A thrown ``NetError`` or ``APIError`` keeps its code, even if it comes from another client; in that case, the other
/// call's error is the cause. Any other error becomes `.middleware` with this middleware's name and the kind of the
/// error, without its values, which may be secrets.
///
///     struct Stamp: Middleware {
///         func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
///             var request = request
///             request.head.headerFields[.userAgent] = "example/1.0"
///             return try await next(request, context)
///         }
///     }
public protocol Middleware: CallPart {
    /// The name used in errors. Default: the type's name.
    var name: String { get }
    /// The source that determines whose credentials this middleware adds to requests; nil if it adds none. Default nil.
    ///
    /// The client asks it before the chain runs, so that a cache further outside can keep users apart.
    var identitySource: (any IdentitySource)? { get }
    /// True if the middleware calls ``CallContext/identity(of:)``, because it stores or shares responses. Default
    /// false.
    var usesIdentity: Bool { get }
    /// Handles one request and returns its response.
    func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse
}

extension Middleware {
    public var name: String { String(describing: Self.self) }
    public var identitySource: (any IdentitySource)? { nil }
    public var usesIdentity: Bool { false }
}

/// The rest of the chain: further middleware, then the transport.
public struct Next: Sendable {
    /// A middleware and the chain inside it.
    @usableFromInline
    final class Link: Sendable {
        @usableFromInline let middleware: any Middleware
        @usableFromInline let next: Next

        init(middleware: any Middleware, next: Next) {
            self.middleware = middleware
            self.next = next
        }

        /// Returns the error as one of this call. A ``NetError`` or ``APIError`` keeps its code and phase, even if it
        /// comes from the middleware's own client; any other error becomes `.middleware` with this middleware's name.
        @usableFromInline
        func named(_ error: any Error, _ context: CallContext) -> NetError {
            context.error(error, by: middleware.name)
        }
    }

    @usableFromInline
    enum Step: Sendable {
        case function(@Sendable (PreparedRequest, CallContext) async throws(NetError) -> StreamedResponse)
        case middleware(Link)
    }

    @usableFromInline let step: Step

    /// Creates the rest of a chain from a function, to call a single middleware in a test.
    public init(_ run: @escaping @Sendable (PreparedRequest, CallContext) async throws(NetError) -> StreamedResponse) {
        step = .function(run)
    }

    /// Creates a chain from a middleware and the chain inside it.
    package init(_ middleware: any Middleware, before next: Next) {
        step = .middleware(Link(middleware: middleware, next: next))
    }

    /// Passes the request on to the rest of the chain.
    ///
    /// Inlined into its caller, which saves each middleware one async frame and one executor check.
    @inlinable
    public func callAsFunction(
        _ request: PreparedRequest, _ context: CallContext
    ) async throws(NetError) -> StreamedResponse {
        switch step {
        case .function(let run): return try await run(request, context)
        case .middleware(let link):
            do {
                return try await link.middleware.intercept(request, context: context, next: link.next)
            } catch {
                throw link.named(error, context)
            }
        }
    }
}

extension CallContext {
    /// Returns the call's error for an error thrown by one of its parts. An error of this library keeps its code; any
    /// other error is described without its values.
    package func error(_ error: any Error, by part: String) -> NetError {
        if let error = NetError(error) { return error.belonging(to: summary, elapsed: elapsed, by: part) }
        if error is CancellationError {
            return self.error(.cancelled, phase: .middleware, message: "the call was cancelled in \(part)")
        }
        return self.error(
            .middleware, phase: .middleware, message: "\(part) failed: \(ErrorSummary.describe(error))",
            underlying: error)
    }
}
