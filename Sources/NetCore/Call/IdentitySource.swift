/// A source that determines whose credentials a middleware will add to a request, before they are added.
///
/// A middleware that adds credentials returns its source from ``Middleware/identitySource``, and a transport whose
/// connections have an identity from ``HTTPTransport/connectionIdentity``. The client asks all sources of the chain before
/// the chain runs, for each redirect and before each attempt. This allows a cache outside the middleware to keep users
/// apart without fetching a token, and ends a call whose user has changed in the meantime: if the identity was named or
/// ``CallIdentity/unique()`` and is a different one before an attempt, the call ends with `.authentication`.
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
    /// be added. It must not fetch a credential: it is asked often.
    ///
    /// An error doesn't fail the call; it only keeps the response from being shared. The same error is expected again
    /// when the middleware adds the credential.
    func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity
}
