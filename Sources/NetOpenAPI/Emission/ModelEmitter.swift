/// Writes the declarations of types, each with those nested in it.
struct ModelEmitter {
    let context: SwiftContext
    private let children: [TypeDeclaration.Owner: [TypeID]]

    var access: String { context.access }
    var names: SwiftNames { context.names }

    init(_ context: SwiftContext) {
        self.context = context
        var children: [TypeDeclaration.Owner: [TypeID]] = [:]
        for (index, type) in context.model.types.enumerated() where type.isEmitted {
            children[type.owner, default: []].append(TypeID(index: index))
        }
        self.children = children
    }

    /// The types that no other type holds.
    var topLevel: [TypeID] { children[.topLevel] ?? [] }

    /// The types declared inside an owner.
    func emitChildren(of owner: TypeDeclaration.Owner, _ writer: inout SourceWriter) {
        for id in children[owner] ?? [] {
            writer.line()
            emit(id, &writer)
        }
    }

    /// One declaration.
    func emit(_ id: TypeID, _ writer: inout SourceWriter) {
        let type = context.model[id]
        document(type.documentation, fallback: fallback(type), &writer)
        switch type.kind {
        case .alias(let target):
            writer.line("\(access)typealias \(names.local(id)) = \(context.text(target))")
        case .object(let object): emitObject(object, id, &writer)
        case .enumeration(let enumeration): emitEnum(enumeration, id, &writer)
        case .union(let union): emitUnion(union, id, &writer)
        case .pending, .removed: break
        }
    }

    private func fallback(_ type: TypeDeclaration) -> String {
        type.isComponent ? "The schema `\(type.rawName)`." : "A part of what holds it: `\(type.rawName)`."
    }

    func document(
        _ documentation: Documentation, fallback: String, extra: [String] = [], _ writer: inout SourceWriter
    ) {
        var extra = extra
        if documentation.isDeprecated { extra.append("- Important: Deprecated.") }
        writer.documentation(DocComment.lines(documentation, fallback: fallback, extra: extra, width: writer.width))
    }
}

extension ModelEmitter {
    private func emitEnum(_ model: EnumModel, _ id: TypeID, _ writer: inout SourceWriter) {
        let raw = model.isInteger ? "Int64" : "String"
        let cases = names[id].names.map(SwiftIdentifier.quoted)
        let unknown = SwiftIdentifier.quoted(names[id].extra)
        let literals = model.values.map { model.isInteger ? $0.text : SwiftLiteral.string($0.text) }
        writer.block("\(access)enum \(names.local(id)): OpenEnum") { writer in
            for (name, value) in zip(cases, model.values) {
                writer.documentation(["`\(DocComment.sentence(value.text))`"])
                writer.line("case \(name)")
            }
            writer.documentation(["A value that the document does not list."])
            writer.line("case \(unknown)(\(raw))")
            writer.line()
            writer.line("\(access)static let allCases: [Self] = [\(cases.map { ".\($0)" }.joined(separator: ", "))]")
            writer.line()
            writer.block("\(access)init(rawValue: \(raw))") { writer in
                writer.line("switch rawValue {")
                for (name, literal) in zip(cases, literals) { writer.line("case \(literal): self = .\(name)") }
                writer.line("default: self = .\(unknown)(rawValue)")
                writer.line("}")
            }
            writer.line()
            writer.block("\(access)var rawValue: \(raw)") { writer in
                writer.line("switch self {")
                for (name, literal) in zip(cases, literals) { writer.line("case .\(name): \(literal)") }
                writer.line("case .\(unknown)(let value): value")
                writer.line("}")
            }
        }
    }
}
