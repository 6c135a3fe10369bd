public import HTTPTypes

/// When a live request is the one that was recorded.
///
///     var rules = ReplayRules()
///     rules.parts.remove(.origin)  // recorded against another host
public struct ReplayRules: Sendable, Hashable {
    /// What is compared.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// The method.
        case method
        /// Scheme, host and port.
        case origin
        /// The path.
        case path
        /// The query, its items in any order.
        case query
        /// The body; JSON by value, so that the order of members does not matter.
        case body
    }

    /// What must be equal. Default all.
    public var parts: Set<Part>
    /// Fields whose values must be equal too. Default none.
    public var headers: Set<HTTPField.Name>
    /// Whether requests must come in the order of the recording. Default false: the first one that is unused and equal
    /// answers.
    public var isSequential: Bool

    /// Makes rules.
    public init(
        parts: Set<Part> = Set(Part.allCases), headers: Set<HTTPField.Name> = [], isSequential: Bool = false
    ) {
        self.parts = parts
        self.headers = headers
        self.isSequential = isSequential
    }
}
