/// Knows whose credentials a middleware will add to a request, before they are added.
///
/// A middleware that adds credentials names its source in ``Middleware/identitySource``. The client asks all sources of a
/// chain before the chain runs, and once for each redirect, if something in the chain keeps or shares responses. So a cache
/// outside of the middleware can tell users apart without fetching a token.
///
///     struct Gateway: Middleware, IdentitySource {
///         let user: String
///         let sign: @Sendable (String) async throws -> String
///
///         var identitySource: (any IdentitySource)? { self }
///
///         func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
///             .named(user)
///         }
///
///         func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
///             var request = request
///             let signature = HTTPField(name: .authorization, value: try await sign(user))
///             request.head.headerFields[.authorization] = signature.value
///             return try await next(request, context.accounting(for: signature))
///         }
///     }
public protocol IdentitySource: Sendable {
    /// The identity that a request gets; ``CallIdentity/everyone`` if it gets no credential.
    ///
    /// An error doesn't fail the call: it shares nothing then, and meets the same error when the credential is added.
    func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity
}
