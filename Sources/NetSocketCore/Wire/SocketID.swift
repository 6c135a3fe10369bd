/// The ID of a request, a join or a subscription, unique within its connection. This side uses numbers; the peer may
/// use text.
///
///     let id: SocketID = 7
///     print(id)  // 7
public enum SocketID: Sendable, Hashable, CustomStringConvertible, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral
{
    /// A number, as assigned by this side.
    case number(UInt64)
    /// A text of the peer that isn't the decimal form of such a number.
    case text(String)

    /// Creates an ID from its text: a number if the text is one in its shortest decimal form.
    public init(_ text: String) {
        if let number = UInt64(text), String(number) == text { self = .number(number) } else { self = .text(text) }
    }

    public init(integerLiteral value: UInt64) { self = .number(value) }
    public init(stringLiteral value: String) { self.init(value) }

    public var description: String {
        switch self {
        case .number(let number): String(number)
        case .text(let text): text
        }
    }
}
