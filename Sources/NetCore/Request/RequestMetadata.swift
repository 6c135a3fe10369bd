/// What a request says of itself to logs, activity and traces; nothing of it is sent.
public struct RequestMetadata: Sendable, Hashable {
    /// A name for people.
    public var name: String?
    /// The OpenAPI `operationId`.
    public var operationID: String?
    /// Words to group calls by.
    public var tags: [String]

    /// Makes metadata; everything is optional.
    public init(name: String? = nil, operationID: String? = nil, tags: [String] = []) {
        self.name = name
        self.operationID = operationID
        self.tags = tags
    }

    /// No metadata.
    public static let none = RequestMetadata()

    /// The name to show: `name`, else `operationID`.
    public var displayName: String? { name ?? operationID }
    /// The name to group by: `operationID`, else `name`.
    public var operationName: String? { operationID ?? name }
}
