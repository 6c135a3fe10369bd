/// A single difference between a request or response and its contract, with secrets hidden.
public struct ContractDifference: Sendable, Hashable, CustomStringConvertible {
    /// The place: `method`, `path`, `query.page`, `header.X-Client`, `body`, `body.$.user.id`, `metadata.name`, `uses`,
    /// `order`; of a response `response.status`, `response.header.ETag`, `response.body.$.id`, `outcome`.
    public let field: String
    /// The expected value.
    public let expected: String
    /// The actual value.
    public let actual: String

    init(_ field: String, expected: String, actual: String) {
        self.field = field
        self.expected = expected
        self.actual = actual
    }

    /// All three on one line.
    public var description: String { "\(field): expected \(expected), actual \(actual)" }
}
