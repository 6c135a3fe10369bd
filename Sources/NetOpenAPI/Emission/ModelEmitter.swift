/// Writes the declarations of types, including nested ones.
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

    /// The types that aren't nested in another.
    var topLevel: [TypeID] { children[.topLevel] ?? [] }

    func children(of owner: TypeDeclaration.Owner) -> [TypeID] { children[owner] ?? [] }

    /// Writes the types declared inside an owner.
    func emitChildren(of owner: TypeDeclaration.Owner, _ writer: inout SourceWriter) {
        for id in children(of: owner) {
            writer.line()
            emit(id, &writer)
        }
    }

    /// Writes one declaration.
    func emit(_ id: TypeID, _ writer: inout SourceWriter) {
        let type = context.model[id]
        document(type.documentation, &writer)
        switch type.kind {
        case .alias(let target):
            writer.line("\(access)typealias \(names.local(id)) = \(context.text(target))")
        case .object(let object): emitObject(object, id, &writer)
        case .enumeration(let enumeration): emitEnum(enumeration, id, &writer)
        case .union(let union): emitUnion(union, id, &writer)
        case .pending, .removed: break
        }
    }

    func document(
        _ documentation: Documentation, extra: [String] = [], _ writer: inout SourceWriter
    ) {
        var extra = extra
        if documentation.isDeprecated { extra.append("- Important: Deprecated.") }
        writer.documentation(DocComment.lines(documentation, extra: extra, width: writer.width))
    }
}

extension ModelEmitter {
    private func emitClosed(
        _ model: EnumModel, _ id: TypeID, _ raw: String, _ cases: [String], _ writer: inout SourceWriter
    ) {
        let conformances = "\(raw), CaseIterable, Codable, Hashable, Sendable"
        writer.block("\(context.typeAccess)enum \(names.local(id)): \(conformances)") { writer in
            for (name, value) in zip(cases, model.values) {
                writer.line("case \(name) = \(model.isInteger ? value.text : SwiftLiteral.string(value.text))")
            }
        }
    }

    private func emitEnum(_ model: EnumModel, _ id: TypeID, _ writer: inout SourceWriter) {
        let raw = model.isInteger ? "Int64" : "String"
        let cases = names[id].names.map(SwiftIdentifier.quoted)
        if context.configuration.enumerations == .closed { return emitClosed(model, id, raw, cases, &writer) }
        let literals = model.values.map { model.isInteger ? $0.text : SwiftLiteral.string($0.text) }
        writer.block("\(context.typeAccess)enum \(names.local(id)): OpenEnum") { writer in
            writer.wrapped("case ", cases)
            writer.line("case unknown(\(raw))")
            writer.wrapped("\(access)static let allCases: [Self] = [", cases.map { ".\($0)" }, tail: "]")
            writer.wrapped("\(access)static let knownValues: [\(raw)] = [", literals, tail: "]")
            writer.line(
                "\(access)var unknownValue: \(raw)? { if case .unknown(let value) = self { value } else { nil } }")
        }
    }
}
