/// One place where a request or response is not what its contract says. Secrets are hidden in it.
public struct ContractDifference: Sendable, Hashable, CustomStringConvertible {
    /// The place: `method`, `path`, `query.page`, `header.X-Client`, `body`, `body.$.user.id`, `metadata.name`, `uses`,
    /// `order`; of a response `response.status`, `response.header.ETag`, `response.body.$.id`, `outcome`.
    public let field: String
    /// What the contract says.
    public let expected: String
    /// What was found.
    public let actual: String

    init(_ field: String, expected: String, actual: String) {
        self.field = field
        self.expected = expected
        self.actual = actual
    }

    /// All three on a line.
    public var description: String { "\(field): expected \(expected), actual \(actual)" }
}
