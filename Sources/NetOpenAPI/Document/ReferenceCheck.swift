/// Walks a document and the files it refers to, and looks up every reference.
struct ReferenceCheck {
    /// The meaning of the keys of an object.
    private enum Context {
        /// Keywords of the specification.
        case keywords
        /// Names chosen by the author, for example in `properties`; none of them is a keyword.
        case names
        /// Names that may include `x-` extensions.
        case extensibleNames
    }

    private struct Location: Hashable {
        let file: String
        let pointer: JSONPointer
    }

    /// A part of a file that hasn't been walked yet.
    private struct Walk {
        let node: Node
        let pointer: JSONPointer
        let context: Context
    }

    private let resolver: ReferenceResolver
    private var walks: [Walk] = []
    private var visited: Set<Location> = []
    private var path: [String] = []
    private var reported: Set<SourcePosition> = []
    private var diagnostics: [Diagnostic] = []

    init(resolver: ReferenceResolver) {
        self.resolver = resolver
    }

    mutating func run() -> [Diagnostic] {
        walks = [Walk(node: resolver.files.root.root, pointer: JSONPointer(), context: .keywords)]
        var next = 0
        while next < walks.count {
            let part = walks[next]
            next += 1
            path = part.pointer.segments
            walk(part.node, part.context)
        }
        return diagnostics
    }

    private mutating func walk(_ node: Node, _ context: Context) {
        switch node.value {
        case .scalar: return
        case .array(let elements):
            for (place, element) in elements.enumerated() {
                descend(to: element, segment: String(place), .keywords)
            }
        case .object(let members):
            check(node, context)
            for member in members {
                guard let inner = Self.context(of: member.key, in: context) else { continue }
                descend(to: member.value, segment: member.key, inner)
            }
        }
    }

    private mutating func descend(to node: Node, segment: String, _ context: Context) {
        if case .scalar = node.value { return }
        path.append(segment)
        walk(node, context)
        path.removeLast()
    }

    /// Looks up the node's reference, if it is one, and queues its target if no other walk visits it.
    private mutating func check(_ node: Node, _ context: Context) {
        guard let field = node["$ref"] else { return }
        if field.text == nil, context != .keywords { return }
        do throws(Diagnostic) {
            let found = try resolver.found(by: node)
            if let cycle = resolver.cycle(startingAt: node) { throw cycle }
            let isMet = found.file === resolver.files.root && !found.pointer.segments.contains { $0.hasPrefix("x-") }
            let location = Location(file: found.file.name, pointer: found.pointer)
            guard !isMet, visited.insert(location).inserted else { return }
            walks.append(Walk(node: found.node, pointer: found.pointer, context: context))
        } catch {
            // Aliases make one `$ref` appear in many places; it is reported only once.
            guard reported.insert(field.position).inserted else { return }
            var error = error
            error.pointer = JSONPointer(path).text
            diagnostics.append(error)
        }
    }

    /// Returns the meaning of the keys in a member's value; nil for data, which contains no references.
    private static func context(of key: String, in context: Context) -> Context? {
        switch context {
        case .names: return .keywords
        case .extensibleNames: return key.hasPrefix("x-") ? nil : .keywords
        case .keywords: break
        }
        switch key {
        case "example", "examples", "default", "enum", "const", "mapping": return nil
        case "paths", "webhooks", "callbacks", "responses": return .extensibleNames
        case "properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "schemas", "parameters",
            "requestBodies", "headers", "securitySchemes", "links", "pathItems", "content", "encoding", "variables",
            "mediaTypes":
            return .names
        default: return key.hasPrefix("x-") ? nil : .keywords
        }
    }
}
