/// Writes the list of the document's JSON examples, each with its type.
struct ExamplesEmitter {
    /// One example of a JSON body.
    struct Example {
        /// The operation, then `request` or the status, and the name of the example.
        let key: String
        /// The Swift type that the example must decode as.
        let type: String
        let value: Node
    }

    let context: SwiftContext
    /// The name of the type.
    let name: String

    func emit(_ writer: inout SourceWriter) {
        let title = context.model.title.map { DocComment.sentence($0) } ?? "the document"
        writer.documentation(["The examples of \(title), for a test."])
        writer.block("\(context.typeAccess)enum \(name)") { writer in
            writer.line("\(context.access)static let all: [DocumentExample] = [")
            for example in Self.examples(context) {
                let json = SwiftLiteral.string(example.value.jsonText)
                writer.line("    .init(\(SwiftLiteral.string(example.key)), \(json), as: (\(example.type)).self),")
            }
            writer.line("]")
        }
    }

    /// Returns the examples of bodies and responses that are objects or lists, in document order.
    static func examples(_ context: SwiftContext) -> [Example] {
        context.model.operations.flatMap { operation -> [Example] in
            let place = "\(operation.method) \(operation.path)"
            var found: [Example] = []
            func add(_ examples: [ExampleModel], _ key: String, _ content: String) {
                for example in examples where example.value.isObject || example.value.isArray {
                    let name = example.name.map { " \($0)" } ?? ""
                    found.append(Example(key: "\(place) \(key)\(name)", type: content, value: example.value))
                }
            }
            if let body = operation.body, case .json(let type) = body.kind {
                add(body.examples, "request", context.text(type))
            }
            for response in operation.successes + operation.failures {
                guard case .json(let type) = response.content else { continue }
                add(response.examples, response.status.key, context.text(type))
            }
            return found
        }
    }
}

extension ResponseModel.Status {
    /// The status as the document writes it.
    fileprivate var key: String {
        switch self {
        case .code(let code): String(code)
        case .range(let digit): "\(digit)XX"
        case .other: "default"
        }
    }
}
