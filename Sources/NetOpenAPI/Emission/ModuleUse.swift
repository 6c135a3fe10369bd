/// The modules that a declaration needs, collected from its parts.
struct ModuleUse: OptionSet, Sendable {
    let rawValue: Int

    /// NetOpenAPIRuntime in bodies only.
    static let runtime = ModuleUse(rawValue: 1)
    /// Types of NetOpenAPIRuntime in signatures.
    static let runtimeTypes = ModuleUse(rawValue: 2)
    /// Types of Foundation in signatures.
    static let foundation = ModuleUse(rawValue: 4)
}

extension ModelEmitter {
    /// Returns the modules that a declaration needs, including those nested in it.
    func modules(of id: TypeID) -> ModuleUse {
        let kind = context.model[id].kind
        var modules: ModuleUse =
            switch kind {
            case .object, .enumeration: .runtimeTypes
            case .union(let union): union.isOpen(in: context.model) ? [.runtime, .runtimeTypes] : .runtime
            case .alias, .pending, .removed: []
            }
        for part in kind.parts { modules.formUnion(self.modules(of: part)) }
        return modules.union(modulesOfChildren(of: .type(id)))
    }

    func modulesOfChildren(of owner: TypeDeclaration.Owner) -> ModuleUse {
        children(of: owner).reduce(into: []) { $0.formUnion(modules(of: $1)) }
    }

    /// Returns the modules that mentioning a type needs.
    func modules(of type: TypeReference) -> ModuleUse {
        switch type {
        case .scalar(.json), .scalar(.calendarDate): return .runtimeTypes
        case .scalar(.data), .scalar(.date), .scalar(.uuid), .scalar(.url), .scalar(.decimal),
            .scalar(.decimalText):
            return .foundation
        case .scalar: return []
        case .array(let inner), .dictionary(let inner), .optional(let inner): return modules(of: inner)
        case .named:
            // An alias of another module's type needs that module; an alias of a list or a dictionary of such a type
            // doesn't.
            guard case .scalar(let scalar) = context.model.unaliased(type) else { return [] }
            return modules(of: .scalar(scalar))
        }
    }
}

extension OperationEmitter {
    /// Returns the modules that the request type of an operation needs.
    func modules(of index: Int) -> ModuleUse {
        let item = item(index)
        var modules = models.modulesOfChildren(of: .operation(index)).union(.runtimeTypes)
        for type in item.model.sentTypes { modules.formUnion(models.modules(of: type)) }
        for content in writtenContents(item) { modules.formUnion(self.modules(of: content)) }
        if let place = context.names.headers.groupOf[index], context.names.headers.groups[place].name.isEmpty {
            modules.formUnion(self.modules(of: context.names.headers.groups[place]))
        }
        return modules
    }

    func modules(of group: SharedFailures.Group) -> ModuleUse {
        group.responses.reduce(into: .runtime) { $0.formUnion(modules(of: $1.content)) }
    }

    func modules(of group: SharedHeaders.Group) -> ModuleUse {
        group.headers.reduce(into: .runtimeTypes) { $0.formUnion(models.modules(of: $1.type)) }
    }

    /// The contents whose types the request type mentions.
    private func writtenContents(_ item: Item) -> [ResponseModel.Content] {
        func contents(_ outcome: Outcome?, _ responses: [ResponseModel]) -> [ResponseModel.Content] {
            switch outcome {
            case nil, .nothing?: []
            case .single(let content)?: [content]
            case .several?: responses.map(\.content)
            }
        }
        let failures = sharedFailure(item) == nil ? contents(failure(item.model), item.model.failures) : []
        return contents(success(item.model), item.model.successes) + failures
    }

    private func modules(of content: ResponseModel.Content) -> ModuleUse {
        switch content {
        case .none, .text: []
        case .binary: .foundation
        case .json(let type): models.modules(of: type)
        case .events(let type): type.map { models.modules(of: $0) }?.union(.runtimeTypes) ?? .runtimeTypes
        case .sequence(let type, _): models.modules(of: type).union(.runtimeTypes)
        }
    }
}
