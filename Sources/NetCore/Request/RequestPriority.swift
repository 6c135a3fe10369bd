/// Which of several waiting requests goes first. Any number is one; those of the same go in the order in which they came.
///
///     var options = RequestOptions()
///     options.priority = .high
public struct RequestPriority: RawRepresentable, Sendable, Hashable, Comparable {
    public let rawValue: Int8

    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Nobody waits for it: 0 is normal, this is -1.
    public static let low = RequestPriority(rawValue: -1)
    /// The default: 0.
    public static let normal = RequestPriority(rawValue: 0)
    /// Somebody looks at the screen: 1.
    public static let high = RequestPriority(rawValue: 1)

    public static func < (left: RequestPriority, right: RequestPriority) -> Bool { left.rawValue < right.rawValue }
}
