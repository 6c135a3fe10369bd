/// The description of a request for logs, activity and traces; none of it is sent.
public struct RequestMetadata: Sendable, Hashable {
    /// A name for display.
    public var name: String?
    /// The OpenAPI `operationId`.
    public var operationID: String?
    /// Tags for grouping calls.
    public var tags: [String]
    /// The credentials that the request accepts, for `AuthMiddleware(schemes:)`. Default nil: the request says nothing about
    /// them. ``SecurityRequirements/none`` says that it needs none.
    public var security: SecurityRequirements?

    /// Creates metadata; everything is optional.
    public init(
        name: String? = nil, operationID: String? = nil, tags: [String] = [], security: SecurityRequirements? = nil
    ) {
        self.name = name
        self.operationID = operationID
        self.tags = tags
        self.security = security
    }

    /// No metadata.
    public static let none = RequestMetadata()

    /// The name for display: `name`, or else `operationID`.
    public var displayName: String? { name ?? operationID }
    /// The name for grouping: `operationID`, or else `name`.
    public var operationName: String? { operationID ?? name }
}
