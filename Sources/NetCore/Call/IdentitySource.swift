/// A source that determines whose credentials a middleware will add to a request, before they are added.
///
/// A middleware that adds credentials returns its source from ``Middleware/identitySource``. If a part of the chain
/// stores or shares responses, the client asks all sources of the chain once before the chain runs, and once for each
/// redirect. This allows a cache outside the middleware to keep users apart without fetching a token.
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
    /// Returns the identity of the credential that will be added to a request; ``CallIdentity/everyone`` if none will
    /// be added.
    ///
    /// An error doesn't fail the call: its response isn't shared, and the same error occurs again when the credential
    /// is added.
    func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity
}
