/// The credentials that a request accepts, as in a Security Requirement of OpenAPI.
///
/// ``alternatives`` lists the ways to authenticate, the preferred one first. One of them is enough. An alternative
/// needs all of its schemes, and an empty one needs no credentials. `AuthMiddleware(schemes:)` uses the first
/// alternative that it can satisfy. Without alternatives, nothing is required, as in OpenAPI.
///
///     let security = SecurityRequirements(
///         alternatives: [[.init("apiKey"), .init("appID")], [.init("oauth", scopes: ["read"])]])
///     print(security)  // apiKey and appID, or oauth (read)
public struct SecurityRequirements: Sendable, Hashable {
    /// The name of a scheme, and the scopes that a request needs from it.
    public struct Scheme: Sendable, Hashable {
        /// The name of the scheme in the API description or in the client.
        public var name: String
        /// The scopes or roles that are needed. Default none.
        public var scopes: [String]

        /// Creates a reference to a scheme.
        public init(_ name: String, scopes: [String] = []) {
            self.name = name
            self.scopes = scopes
        }
    }

    /// The ways to authenticate. One is enough; it needs all of its schemes, and an empty one needs none.
    public var alternatives: [[Scheme]]

    /// Creates requirements.
    public init(alternatives: [[Scheme]]) { self.alternatives = alternatives }

    /// No credentials are needed, and none are sent.
    public static let none = SecurityRequirements(alternatives: [[]])
}

extension SecurityRequirements: CustomStringConvertible {
    /// The alternatives in words: `apiKey and appID, or oauth (read)`; `none` if no credentials are needed.
    public var description: String {
        if alternatives.isEmpty { return "none" }
        return alternatives.map { alternative in
            alternative.isEmpty ? "none" : alternative.map(\.description).joined(separator: " and ")
        }
        .joined(separator: ", or ")
    }
}

extension SecurityRequirements.Scheme: CustomStringConvertible {
    /// The name, followed by the scopes in parentheses.
    public var description: String { scopes.isEmpty ? name : "\(name) (\(scopes.joined(separator: " ")))" }
}
