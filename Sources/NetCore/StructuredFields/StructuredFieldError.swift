/// Why a text is no structured field, or a value cannot be written as one.
public struct StructuredFieldError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where, as an offset into the value's UTF-8, its lines joined by `, `; nil for a value that cannot be written.
    public let position: Int?
    /// One sentence for a person, without the value itself: it may be a secret.
    public let message: String

    /// Puts the parts together.
    public init(position: Int? = nil, message: String) {
        self.position = position
        self.message = message
    }

    public var description: String { position.map { "\(message), at byte \($0)" } ?? message }
}
