public import NetCore

extension Contract {
    /// What a contract asks of the values of a query item, field or form field. No value is ignored: a second one that
    /// was not asked for is drift.
    ///
    ///     let rules: [String: Contract.ValueRule] = [
    ///         "page": "2", "sort": .glob("name-*"), "id": .regex("^[0-9]{4}$"), "cursor": .present, "debug": .absent,
    ///     ]
    public enum ValueRule: Sendable, ExpressibleByStringLiteral {
        /// There, with whatever value.
        case present
        /// Not there.
        case absent
        /// There once, with exactly this value.
        case exact(String)
        /// There with exactly these values, in whatever order.
        case exactly([String])
        /// Every value contains this text.
        case contains(String)
        /// Every value is of this shape: `*` stands for any text, `?` for one character, `\` takes the next as it is.
        case glob(String)
        /// In every value, this regular expression of ECMAScript matches somewhere; `^…$` for the whole value. It takes time
        /// in proportion to its size and the value's, whatever both are: there are no references back to groups. One that
        /// can't be read matches nothing.
        case regex(String)
        /// What a matcher says; it exists only in code, no file can hold it.
        case code(ValueMatcher)

        public init(stringLiteral value: String) {
            self = .exact(value)
        }

        func matcher(wildcard: String) -> ValueMatcher {
            switch self {
            case .present, .exact(wildcard): .present
            case .absent: .absent
            case .exact(let value): .exactly([value])
            case .exactly(let values): values.contains(wildcard) ? .present : .exactly(values)
            case .contains(let text):
                ValueMatcher("text that contains \"\(text)\"") { values in
                    !values.isEmpty && values.allSatisfy { $0.contains(text) }
                }
            case .glob(let pattern):
                ValueMatcher("text like \"\(pattern)\"") { [glob = Glob(pattern)] values in
                    !values.isEmpty && values.allSatisfy { glob.matches($0) }
                }
            case .regex(let text): Self.matcher(regex: text)
            case .code(let matcher): matcher
            }
        }

        private static func matcher(regex text: String) -> ValueMatcher {
            guard let pattern = Pattern(text) else {
                return ValueMatcher("text that matches /\(text)/, which is no regular expression") { _ in false }
            }
            return ValueMatcher("text that matches /\(text)/") { values in
                !values.isEmpty && values.allSatisfy { pattern.matches($0) == true }
            }
        }
    }

    /// What a contract asks of a body.
    ///
    ///     let rules: [Contract.BodyRule] = [
    ///         .json(["customer": ["id": 7], "secret": "<redacted>"]),
    ///         .form(["user": "ada", "password": .present]),
    ///         .all([.json(["kind": "order"]), .paths(["$.lines[*].sku": .glob("A-*")])]),
    ///     ]
    public indirect enum BodyRule: Sendable {
        /// Nothing is asked.
        case anything
        /// No byte.
        case absent
        /// At least one byte.
        case present
        /// Exactly this text.
        case text(String)
        /// Exactly these bytes.
        case bytes(Bytes)
        /// JSON that holds at least this, by value; the contract's wildcard accepts any value at its place. A strict
        /// contract takes no other members.
        case json(JSONValue)
        /// JSON in which each path selects what its rule accepts.
        case paths([JSONPath: ValueRule])
        /// A form with these fields; a strict contract takes no others.
        case form([String: ValueRule])
        /// A multipart form with these parts.
        case multipart([PartRule])
        /// All of them.
        case all([BodyRule])
        /// What a matcher says; it exists only in code, no file can hold it.
        case code(BodyMatcher)
    }

    /// What a contract asks of one part of a multipart form.
    public struct PartRule: Sendable {
        /// The part's name.
        public var name: String
        /// What is asked of its file name. Default nil: nothing.
        public var filename: ValueRule?
        /// What is asked of its `Content-Type`. Default nil: nothing.
        public var contentType: ValueRule?
        /// What is asked of its content. Default anything.
        public var body: BodyRule

        /// Asks for a part of that name.
        public init(
            _ name: String, filename: ValueRule? = nil, contentType: ValueRule? = nil, body: BodyRule = .anything
        ) {
            self.name = name
            self.filename = filename
            self.contentType = contentType
            self.body = body
        }
    }
}
