extension URITemplate {
    /// The value of a variable: a text, a list, or ordered pairs.
    ///
    ///     let values: [String: URITemplate.Value] = ["id": 7, "tags": ["a", "b"], "sort": .pairs([("by", "name")])]
    ///     print(values.count)
    public struct Value: Sendable, Hashable {
        enum Content: Sendable, Hashable {
            case text(String)
            case list([String])
            case pairs([Pair])
        }

        struct Pair: Sendable, Hashable {
            let name, value: String
        }

        let content: Content

        /// Creates a text.
        public static func text(_ text: String) -> Self { Self(content: .text(text)) }
        /// Creates a list. An empty list counts as a missing value.
        public static func list(_ elements: [String]) -> Self { Self(content: .list(elements)) }
        /// Creates names with values, in this order. An empty list counts as a missing value.
        public static func pairs(_ pairs: KeyValuePairs<String, String>) -> Self {
            .pairs(pairs.map { ($0.key, $0.value) })
        }
        /// Creates names with values, in this order. An empty list counts as a missing value.
        public static func pairs(_ pairs: [(String, String)]) -> Self {
            Self(content: .pairs(pairs.map { Pair(name: $0.0, value: $0.1) }))
        }

        /// True if the value is undefined as defined by RFC 6570: an empty list, or no pairs.
        var isUndefined: Bool {
            switch content {
            case .text: false
            case .list(let elements): elements.isEmpty
            case .pairs(let pairs): pairs.isEmpty
            }
        }
    }
}

extension URITemplate.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int) { self = .text(value.description) }
    public init(floatLiteral value: Double) { self = .text(value.description) }
    public init(booleanLiteral value: Bool) { self = .text(value.description) }
    public init(arrayLiteral elements: String...) { self = .list(elements) }
    public init(dictionaryLiteral elements: (String, String)...) { self = .pairs(elements) }

    /// Creates a text from a number, an identifier, or another value with a description.
    public init(_ value: some CustomStringConvertible) { self = .text(value.description) }
}
