public import NetCore

/// The cause of the error of a call that wasn't sent because
/// ``AuthMiddleware/init(schemes:otherwise:scope:challenges:)`` has no credentials for any alternative that the request
/// accepts.
///
///     do {
///         try await client.send(GetUser(id: 7))
///     } catch {
///         if let unmet = error.netError?.underlying as? UnmetSecurityRequirements { print("no", unmet.missing) }
///     }
public struct UnmetSecurityRequirements: Error, Sendable, Hashable {
    /// The requirements of the request.
    public let requirements: SecurityRequirements
    /// The names of the schemes that have no provider, or whose provider has no credential now, in ascending order.
    public let missing: [String]
}

extension UnmetSecurityRequirements: CustomStringConvertible {
    /// The requirements and the missing schemes:
    /// `the request needs oauth (read), and there is no credential for oauth`.
    public var description: String {
        "the request needs \(requirements), and there is no credential for \(missing.joined(separator: ", "))"
    }
}
