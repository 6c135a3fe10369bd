/// An error for a text that isn't a valid structured field, or a value that can't be written as one.
public struct StructuredFieldError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The position as an offset into the value's UTF-8, with lines joined by `, `; nil for a value that can't be
    /// written.
    public let position: Int?
    /// A sentence for people. It doesn't contain the value, which may be a secret.
    public let message: String

    /// Creates an error.
    public init(position: Int? = nil, message: String) {
        self.position = position
        self.message = message
    }

    public var description: String { position.map { "\(message), at byte \($0)" } ?? message }
}
