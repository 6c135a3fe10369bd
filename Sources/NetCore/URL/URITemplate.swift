/// A URI template (RFC 6570, all four levels): `/users/{id}{?fields,page}`.
///
/// Parsing checks the whole template; expanding it never changes the route beyond what the template allows: values are
/// escaped but for `{+var}` and `{#var}`, which keep reserved characters and escapes. A variable that is not given, is
/// `nil`, or is an empty list disappears.
///
///     let template = try URITemplate("/users/{id}{?fields*,page}")
///     let target = try template.expand(["id": "a/b", "fields": ["name", "mail"], "page": 2])
///     print(target)  // /users/a%2Fb?fields=name&fields=mail&page=2
public struct URITemplate: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case literal(String)
        case expression(Expression)
    }

    /// What stands between braces.
    struct Expression: Sendable, Hashable {
        var style: Style
        var variables: [Variable] = []
        /// Where its brace stands, as an offset into the template's UTF-8.
        var position: Int
    }

    /// One variable of an expression.
    struct Variable: Sendable, Hashable {
        var name: String
        var modifier: Modifier = .none
        var position: Int
    }

    enum Modifier: Sendable, Hashable {
        case none, explode
        /// The most characters that are taken, 1 to 9999.
        case prefix(Int)
    }

    /// The template as it was written.
    public let text: String
    let parts: [Part]

    /// Parses a template; throws ``URITemplateError``, which says where and what.
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

    /// The template with its variables replaced.
    ///
    /// - Parameter variables: The values by name; what the template does not name is ignored, what is missing or `nil` is
    ///   left out. Throws only where a list or an object is given to a variable with a length (`{list:3}`).
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

/// Why a URI template cannot be parsed or expanded: where, and what to do.
public struct URITemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong: an open set.
    public struct Code: Sendable, Hashable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A `{` without its `}`, or a `}` without its `{`.
        public static let unbalancedBrace = Code(rawValue: "unbalancedBrace")
        /// An operator that RFC 6570 does not define: `=`, `,`, `!`, `@`, `|`.
        public static let unknownOperator = Code(rawValue: "unknownOperator")
        /// A name that is empty, or has a character no name can have.
        public static let invalidName = Code(rawValue: "invalidName")
        /// A length that is none of 1 to 9999, or something after `*`.
        public static let invalidModifier = Code(rawValue: "invalidModifier")
        /// A character outside of expressions that a URI cannot have.
        public static let invalidLiteral = Code(rawValue: "invalidLiteral")
        /// A list or an object where a length was asked for.
        public static let prefixOfList = Code(rawValue: "prefixOfList")
    }

    /// What is wrong.
    public let code: Code
    /// Where, as an offset into the template's UTF-8.
    public let position: Int
    /// One sentence for a person.
    public let message: String

    /// Puts the parts together.
    public init(_ code: Code, position: Int, message: String) {
        self.code = code
        self.position = position
        self.message = message
    }

    public var description: String { "URI template, at byte \(position): \(message)" }
}
