/// A coding key with any name, for objects whose members are known only at run time.
public struct JSONKey: CodingKey, Hashable, Sendable {
    public let stringValue: String
    public var intValue: Int? { nil }

    /// Creates a key from its name.
    public init(_ name: String) {
        stringValue = name
    }

    public init(stringValue: String) {
        self.init(stringValue)
    }

    public init?(intValue: Int) { nil }
}
