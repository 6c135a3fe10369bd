public import NetCore

extension Contract {
    /// The rule for the values of a query item, header field or form field. Every value counts: an additional value is
    /// drift.
    ///
    ///     let rules: [String: Contract.ValueRule] = [
    ///         "page": "2", "sort": .glob("name-*"), "id": .regex("^[0-9]{4}$"), "cursor": .present, "debug": .absent,
    ///     ]
    public enum ValueRule: Sendable, ExpressibleByStringLiteral {
        /// Present, with any value.
        case present
        /// Absent.
        case absent
        /// Present once, with exactly this value.
        case exact(String)
        /// Present with exactly these values, in any order.
        case exactly([String])
        /// Every value contains this text.
        case contains(String)
        /// Every value matches this pattern: `*` matches any text, `?` one character, and `\` makes the next character
        /// literal.
        case glob(String)
        /// This ECMAScript regular expression matches somewhere in every value; use `^…$` for the whole value. Matching
        /// takes time proportional to the sizes of the expression and the value, because back-references aren't
        /// supported. An invalid expression matches nothing.
        case regex(String)
        /// A matcher. It exists only in code; a contract file can't hold it.
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
                return ValueMatcher("text that matches /\(text)/, which isn't a regular expression") { _ in false }
            }
            return ValueMatcher("text that matches /\(text)/") { values in
                !values.isEmpty && values.allSatisfy { pattern.matches($0) == true }
            }
        }
    }

    /// The rule for a body.
    ///
    ///     let rules: [Contract.BodyRule] = [
    ///         .json(["customer": ["id": 7], "secret": "<redacted>"]),
    ///         .form(["user": "ada", "password": .present]),
    ///         .all([.json(["kind": "order"]), .paths(["$.lines[*].sku": .glob("A-*")])]),
    ///     ]
    public indirect enum BodyRule: Sendable {
        /// Any body, or no body.
        case anything
        /// An empty body.
        case absent
        /// At least one byte.
        case present
        /// Exactly this text.
        case text(String)
        /// Exactly these bytes.
        case bytes(Bytes)
        /// JSON that contains at least this value; the contract's wildcard accepts any value in its place. A strict
        /// contract accepts no other members.
        case json(JSONValue)
        /// JSON in which the values at each path satisfy the path's rule.
        case paths([JSONPath: ValueRule])
        /// A form with these fields; a strict contract accepts no others.
        case form([String: ValueRule])
        /// A multipart form with these parts.
        case multipart([PartRule])
        /// All of these rules.
        case all([BodyRule])
        /// A matcher. It exists only in code; a contract file can't hold it.
        case code(BodyMatcher)
    }

    /// The rule for one part of a multipart form.
    public struct PartRule: Sendable {
        /// The part's name.
        public var name: String
        /// The rule for the file name. Default nil: no rule.
        public var filename: ValueRule?
        /// The rule for the `Content-Type`. Default nil: no rule.
        public var contentType: ValueRule?
        /// The rule for the content. Default anything.
        public var body: BodyRule

        /// Creates a rule for the part of that name.
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
