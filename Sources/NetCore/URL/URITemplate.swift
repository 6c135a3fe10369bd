/// A URI template (RFC 6570, all four levels): `/users/{id}{?fields,page}`.
///
/// Parsing checks the whole template. Expanding never changes the route beyond what the template allows: values are
/// escaped, except that `{+var}` and `{#var}` keep reserved characters and escapes. A variable that is missing, `nil`
/// or an empty list is omitted.
///
///     let template = try URITemplate("/users/{id}{?fields*,page}")
///     let target = try template.expand(["id": "a/b", "fields": ["name", "mail"], "page": 2])
///     print(target)  // /users/a%2Fb?fields=name&fields=mail&page=2
public struct URITemplate: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case literal(String)
        case expression(Expression)
    }

    /// The content between braces.
    struct Expression: Sendable, Hashable {
        var style: Style
        var variables: [Variable] = []
        /// The position of the opening brace, as an offset into the template's UTF-8.
        var position: Int
    }

    /// A variable of an expression.
    struct Variable: Sendable, Hashable {
        var name: String
        var modifier: Modifier = .none
        var position: Int
    }

    enum Modifier: Sendable, Hashable {
        case none, explode
        /// The maximum number of characters to use, 1 to 9999.
        case prefix(Int)
    }

    /// The template as written.
    public let text: String
    let parts: [Part]

    /// Parses a template; throws ``URITemplateError`` with the position and the reason.
    public init(_ text: String) throws(URITemplateError) {
        var parser = URITemplateParser(text)
        self.text = text
        parts = try parser.parse()
    }

    /// The names of the variables, each once, in the order of their first use.
    public var variableNames: [String] {
        var names: [String] = []
        for case .expression(let expression) in parts {
            for variable in expression.variables where !names.contains(variable.name) { names.append(variable.name) }
        }
        return names
    }

    /// Returns the template with its variables replaced.
    ///
    /// - Parameter variables: The values by name. Names that the template doesn't contain are ignored; variables that
    ///   are missing or `nil` are omitted.
    /// - Throws: ``URITemplateError``, only if a variable with a length (`{list:3}`) has a list or an object as its
    ///   value.
    public func expand(_ variables: [String: Value?]) throws(URITemplateError) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 32)
        for part in parts {
            switch part {
            case .literal(let literal): output += literal.utf8
            case .expression(let expression): try append(expression, variables, to: &output)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}

extension URITemplate: CustomStringConvertible {
    public var description: String { text }
}

/// An error in parsing or expanding a URI template, with its position and a way to fix it.
public struct URITemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error; an open set.
    public struct Code: Sendable, Hashable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A `{` without a `}`, or a `}` without a `{`.
        public static let unbalancedBrace = Code(rawValue: "unbalancedBrace")
        /// An operator that RFC 6570 doesn't define: `=`, `,`, `!`, `@`, `|`.
        public static let unknownOperator = Code(rawValue: "unknownOperator")
        /// A name that is empty or contains an invalid character.
        public static let invalidName = Code(rawValue: "invalidName")
        /// A length outside 1 to 9999, or text after `*`.
        public static let invalidModifier = Code(rawValue: "invalidModifier")
        /// A character outside the expressions that isn't allowed in a URI.
        public static let invalidLiteral = Code(rawValue: "invalidLiteral")
        /// A list or an object for a variable with a length.
        public static let prefixOfList = Code(rawValue: "prefixOfList")
    }

    /// The kind of the error.
    public let code: Code
    /// The position, as an offset into the template's UTF-8.
    public let position: Int
    /// A human-readable message of one sentence.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, position: Int, message: String) {
        self.code = code
        self.position = position
        self.message = message
    }

    public var description: String { "URI template, at byte \(position): \(message)" }
}
