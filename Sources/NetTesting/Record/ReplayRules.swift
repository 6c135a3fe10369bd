public import HTTPTypes

/// The rules for matching a live request with a recorded one.
///
///     var rules = ReplayRules()
///     rules.parts.remove(.origin)  // recorded against another host
public struct ReplayRules: Sendable, Hashable {
    /// A part of a request.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// The method.
        case method
        /// Scheme, host and port.
        case origin
        /// The path.
        case path
        /// The query, its items in any order.
        case query
        /// The body; JSON is compared by value, so that the order of members doesn't matter.
        case body
    }

    /// The parts that must be equal. Default all.
    public var parts: Set<Part>
    /// Header fields whose values must also be equal. Default none.
    public var headers: Set<HTTPField.Name>
    /// True if requests must arrive in the order of the recording. Default false: the first unused exchange with an
    /// equal request is replayed.
    public var isSequential: Bool

    /// Creates rules.
    public init(
        parts: Set<Part> = Set(Part.allCases), headers: Set<HTTPField.Name> = [], isSequential: Bool = false
    ) {
        self.parts = parts
        self.headers = headers
        self.isSequential = isSequential
    }
}
