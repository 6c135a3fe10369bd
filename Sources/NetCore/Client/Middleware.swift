/// Sees every attempt of a call on its way out and back: the one shape of all built-in features and of yours.
///
/// The client's list runs outermost first. Call `next` to go on: not at all to answer yourself, again to retry. A ``NetError`` or
/// ``APIError`` that is thrown keeps its code, also one of another client: that call's error is the cause then. Any other error
/// becomes `.middleware` with this middleware's name and the kind of the error, without its values, which may be secrets. Code after `next` runs at the head of a
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
    /// Knows whose credentials this middleware adds to requests; nil if it adds none. Default nil.
    ///
    /// The client asks it before the chain runs, so that a cache further outside keeps users apart.
    var identitySource: (any IdentitySource)? { get }
    /// True if it asks for ``CallContext/identity(of:)``, because it keeps or shares responses. Default false.
    var usesIdentity: Bool { get }
    /// Handles one request.
    func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse
}

extension Middleware {
    public var name: String { String(describing: Self.self) }
    public var identitySource: (any IdentitySource)? { nil }
    public var usesIdentity: Bool { false }
}

/// The rest of the chain: further middleware, then the transport.
public struct Next: Sendable {
    /// A middleware and what is inside of it.
    @usableFromInline
    final class Link: Sendable {
        @usableFromInline let middleware: any Middleware
        @usableFromInline let next: Next

        init(middleware: any Middleware, next: Next) {
            self.middleware = middleware
            self.next = next
        }

        /// Returns the error as one of this call. A ``NetError`` and an ``APIError`` keep code and phase, also if a client of the
        /// middleware's own threw them; any other is `.middleware` with this one's name.
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

    /// Wraps a function, to call a middleware on its own in a test.
    public init(_ run: @escaping @Sendable (PreparedRequest, CallContext) async throws(NetError) -> StreamedResponse) {
        step = .function(run)
    }

    /// A middleware, and what is inside of it.
    package init(_ middleware: any Middleware, before next: Next) {
        step = .middleware(Link(middleware: middleware, next: next))
    }

    /// Goes on with the request.
    ///
    /// Inlined into its caller, which spares each middleware one async frame and one look at the executor.
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
    /// The call's error for what a part of it threw: an error of our own keeps its code, another one is described without its
    /// values.
    package func error(_ error: any Error, by part: String) -> NetError {
        if let error = NetError(ours: error) { return error.belonging(to: summary, elapsed: elapsed, by: part) }
        if error is CancellationError {
            return self.error(.cancelled, phase: .middleware, message: "the call was cancelled in \(part)")
        }
        return self.error(
            .middleware, phase: .middleware, message: "\(part) failed: \(ErrorSummary.describe(error))",
            underlying: error)
    }
}
