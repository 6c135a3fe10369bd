/// The priority among waiting requests. Any number is valid; requests of equal priority keep their order of arrival.
///
///     var options = RequestOptions()
///     options.priority = .high
public struct RequestPriority: RawRepresentable, Sendable, Hashable, Comparable, Codable {
    public let rawValue: Int8

    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// A request that no user is waiting for: -1, below normal.
    public static let low = RequestPriority(rawValue: -1)
    /// The default: 0.
    public static let normal = RequestPriority(rawValue: 0)
    /// A request that a user is waiting for: 1.
    public static let high = RequestPriority(rawValue: 1)
    /// An urgent request that all other work can wait for: 2, above high.
    public static let critical = RequestPriority(rawValue: 2)

    public static func < (left: RequestPriority, right: RequestPriority) -> Bool { left.rawValue < right.rawValue }
}
