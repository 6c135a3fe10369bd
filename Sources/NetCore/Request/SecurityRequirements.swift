/// The credentials that a request accepts, as a Security Requirement of OpenAPI names them.
///
/// ``alternatives`` has one entry for each way to be let in, the preferred one first. Any one of them is enough; all schemes
/// of an alternative are needed together, and an empty one needs no credentials. `AuthMiddleware(schemes:)` picks the first
/// that it can meet. Without alternatives nothing is required, as in OpenAPI.
///
///     let security = SecurityRequirements(
///         alternatives: [[.init("apiKey"), .init("appID")], [.init("oauth", scopes: ["read"])]])
///     print(security)  // apiKey and appID, or oauth (read)
public struct SecurityRequirements: Sendable, Hashable {
    /// A scheme by its name, and the scopes that a request needs of it.
    public struct Scheme: Sendable, Hashable {
        /// The name of the scheme, as the document or the client calls it.
        public var name: String
        /// The scopes or roles that are needed. Default none.
        public var scopes: [String]

        /// Creates a reference to a scheme.
        public init(_ name: String, scopes: [String] = []) {
            self.name = name
            self.scopes = scopes
        }
    }

    /// The ways to be let in: any one is enough, all schemes of it are needed, and an empty one needs none.
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
