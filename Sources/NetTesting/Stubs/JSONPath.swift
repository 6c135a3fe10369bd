internal import NetCore

/// A path into JSON: the subset of RFC 9535 that selects by name, index and wildcard.
///
/// Supported are `$`, `.name`, `['name']` and `["name"]` (a backslash escapes the next character), `[0]`, `[-1]` (from
/// the end), `.*` and `[*]`. Slices, filters, several selectors in one bracket, and `..` aren't supported: such a path
/// selects nothing, and ``problem`` has the reason.
///
///     let path: JSONPath = "$.lines[*].sku"
///     let stub = Stub(.post, "/orders", .status(.created)).body(.json(at: path, equals: "A-1"))
public struct JSONPath: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private enum Step: Sendable, Hashable {
        case name(String)
        case index(Int)
        case all
    }

    /// The path as it was written.
    public let description: String
    /// The reason why the path can't be read; nil if it can.
    public let problem: String?
    private let steps: [Step]

    /// Reads a path. A path that can't be read selects nothing; see ``problem``.
    public init(_ text: String) {
        description = text
        var reader = Reader(text: Array(text))
        do throws(Unreadable) {
            steps = try reader.read()
            problem = nil
        } catch {
            steps = []
            problem = error.message
        }
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// A value that the path selects.
    struct Selected: Sendable {
        let value: JSONValue
        /// The name that determines whether the value is secret.
        let name: String
    }

    /// The name that determines whether the selected values are secret.
    var name: String {
        steps.reduce("") { name, step in if case .name(let next) = step { Shown.inherited(name, next) } else { name } }
    }

    /// The values that the path selects; a wildcard visits an object's members in the order of their names.
    func select(in value: JSONValue) -> [Selected] {
        guard problem == nil else { return [] }
        return steps.reduce([Selected(value: value, name: "")]) { values, step in
            values.flatMap { Self.children(of: $0, step) }
        }
    }

    private static func children(of parent: Selected, _ step: Step) -> [Selected] {
        switch (step, parent.value) {
        case (.name(let name), .object(let members)):
            members[name].map { [Selected(value: $0, name: Shown.inherited(parent.name, name))] } ?? []
        case (.index(let index), .array(let elements)):
            parent.value[index < 0 ? elements.count + index : index].map { [Selected(value: $0, name: parent.name)] }
                ?? []
        case (.all, .array(let elements)):
            elements.map { Selected(value: $0, name: parent.name) }
        case (.all, .object(let members)):
            members.sorted { $0.key < $1.key }.map { name, value in
                Selected(value: value, name: Shown.inherited(parent.name, name))
            }
        default: []
        }
    }

    private struct Unreadable: Error {
        let message: String
    }

    private struct Reader {
        let text: [Character]
        var place = 0

        mutating func read() throws(Unreadable) -> [Step] {
            guard text.first == "$" else { throw Unreadable(message: "it does not begin with $") }
            place = 1
            var steps: [Step] = []
            while place < text.count {
                switch text[place] {
                case ".": steps.append(try member())
                case "[": steps.append(try bracket())
                default: throw expected("a . or [")
                }
            }
            return steps
        }

        private mutating func member() throws(Unreadable) -> Step {
            place += 1
            if take("*") { return .all }
            let name = text[place...].prefix { $0.isLetter || $0 == "_" || $0 == "-" || $0.isNumber }
            guard let first = name.first, !first.isNumber else { throw expected("a name or *") }
            place += name.count
            return .name(String(name))
        }

        private mutating func bracket() throws(Unreadable) -> Step {
            place += 1
            let step: Step
            if take("*") {
                step = .all
            } else if let quote = text[place...].first, quote == "'" || quote == "\"" {
                step = .name(try quoted(quote))
            } else {
                let digits = text[place...].prefix { $0 == "-" || $0.isASCII && $0.isNumber }
                guard let index = Int(String(digits)) else { throw expected("a quoted name, a place or *") }
                place += digits.count
                step = .index(index)
            }
            guard take("]") else { throw expected("a ]") }
            return step
        }

        private mutating func quoted(_ quote: Character) throws(Unreadable) -> String {
            place += 1
            var name = ""
            while place < text.count, text[place] != quote {
                if text[place] == "\\", place + 1 < text.count { place += 1 }
                name.append(text[place])
                place += 1
            }
            guard take(quote) else { throw expected("a closing \(quote)") }
            return name
        }

        private mutating func take(_ character: Character) -> Bool {
            guard place < text.count, text[place] == character else { return false }
            place += 1
            return true
        }

        private func expected(_ what: String) -> Unreadable {
            Unreadable(message: "\(what) is expected at character \(place + 1)")
        }
    }
}
