/// The Swift names of everything in a model: the second stage of the generator.
///
/// Names are assigned to operations first, then to components, then to nested types, each in document order, so that
/// the same document always has the same names.
struct SwiftNames: Sendable {
    /// The names of one operation.
    struct OperationNames: Sendable {
        /// The request type.
        var type: String
        /// One for each parameter.
        var parameters: [String]
        /// One for each part of a multipart body.
        var parts: [String]
        /// One for each header of each part.
        var partHeaders: [[String]] = []
        /// The property of any other body.
        var payload: String
        /// The cases of `Output` and `Failure`, in the order of the responses.
        var successes: [String]
        var failures: [String]
    }

    /// The names of a type's members: properties, cases, and the additional one for values that the document doesn't
    /// list.
    struct MemberNames: Sendable {
        var names: [String] = []
        var extra = ""
        /// The property of an object for members that the document doesn't declare.
        var undeclared = ""
    }

    /// The failures that several operations share, with their names.
    private(set) var failures: SharedFailures
    /// The headers that responses declare, with the names of their types.
    private(set) var headers: SharedHeaders
    private(set) var operations: [OperationNames] = []
    private(set) var members: [MemberNames]
    private var locals: [String]
    private var qualified: [String]
    /// The names of the types that are nested in an owner.
    private var nested: [TypeDeclaration.Owner: Set<String>] = [:]
    /// The names of all top-level types.
    private var topLevel: NameScope

    init(_ model: APIModel, typePrefix: String, reserved: Set<String>, overrides: inout OverrideUse) {
        locals = Array(repeating: "", count: model.types.count)
        failures = SharedFailures(model)
        headers = SharedHeaders(model)
        qualified = locals
        members = Array(repeating: MemberNames(), count: model.types.count)
        topLevel = NameScope(ReservedNames.types.union(reserved))
        let names = model.operations.map {
            topLevel.claim(typePrefix + SwiftIdentifier.upperCamel($0.identifier) + "Request")
        }
        let components = model.types.indices.filter { model.types[$0].isEmitted && model.types[$0].owner == .topLevel }
        for index in components {
            guard let name = overrides.type(model.types[index].rawName) else { continue }
            locals[index] = topLevel.claim(name)
            qualified[index] = locals[index]
        }
        for index in components where locals[index].isEmpty {
            let base = typePrefix + SwiftIdentifier.upperCamel(model.types[index].rawName)
            locals[index] = topLevel.claim(base, base + "Model")
            qualified[index] = locals[index]
        }
        failures.claimNames(typePrefix, in: &topLevel)
        headers.claimNames(typePrefix, in: &topLevel)
        nameNested(model, names, &overrides)
        for index in model.types.indices { members[index] = memberNames(model, index, &overrides) }
        for (index, name) in names.enumerated() { operations.append(operationNames(model, index, name, &overrides)) }
    }

    /// Returns the unqualified name of a type.
    func local(_ id: TypeID) -> String { locals[id.index] }
    /// Returns the qualified name of a type.
    func qualified(_ id: TypeID) -> String { qualified[id.index] }
    subscript(id: TypeID) -> MemberNames { members[id.index] }

    private mutating func nameNested(_ model: APIModel, _ operations: [String], _ overrides: inout OverrideUse) {
        var scopes: [TypeDeclaration.Owner: NameScope] = [:]
        for index in model.types.indices where model.types[index].isEmitted {
            let type = model.types[index]
            let parent: String
            switch type.owner {
            case .topLevel: continue
            case .type(let id): parent = qualified[id.index]
            case .operation(let place): parent = operations[place]
            }
            var scope = scopes[type.owner] ?? initialScope(parent)
            let base = SwiftIdentifier.upperCamel(type.rawName)
            if case .operation = type.owner, ["Response", "Body"].contains(type.rawName), !scope.contains(type.rawName)
            {
                locals[index] = scope.claim(type.rawName)
            } else {
                let last = parent.split(separator: ".").last.map(String.init) ?? parent
                let isFree = !topLevel.contains(base) && !["Response", "CodingKeys"].contains(base)
                locals[index] = isFree ? scope.claim(base, "\(base)Value") : scope.claim("\(base)Value", last + base)
                while topLevel.contains(locals[index]) { locals[index] = scope.claim(last + base) }
            }
            if let name = overrides.type("\(parent).\(locals[index])") { locals[index] = scope.claim(name) }
            scopes[type.owner] = scope
            nested[type.owner, default: []].insert(locals[index])
            qualified[index] = "\(parent).\(locals[index])"
        }
    }

    /// Returns a scope with the names of the enclosing types, which a nested type must not hide.
    private func initialScope(_ parent: String) -> NameScope {
        NameScope(
            Set(parent.split(separator: ".").map(String.init)).union(["Output", "Failure", "Headers"])
                .union(["Servers", "Links"].filter { topLevel.contains($0) }))
    }

    private func memberNames(_ model: APIModel, _ index: Int, _ overrides: inout OverrideUse) -> MemberNames {
        let owner = model.types[index].isComponent ? model.types[index].rawName : qualified[index]
        let nested = nested[.type(TypeID(index: index))] ?? []
        var result = MemberNames()
        switch model.types[index].kind {
        case .object(let object):
            var scope = NameScope(nested.union(Self.forbiddenMembers))
            for property in object.properties {
                let name = overrides.property(property.name, of: owner) ?? propertyName(property.name)
                result.names.append(scope.claim(name))
            }
            result.extra = scope.claim("additionalProperties")
            result.undeclared = scope.claim("undeclared", "undeclaredMembers")
        case .enumeration(let enumeration):
            var scope = NameScope(nested.union(Self.forbiddenCases).union(["unknown"]))
            result.names = enumeration.values.map { value in
                let name = SwiftIdentifier.caseName(value.name ?? value.text)
                return scope.claim(name, name + "Value")
            }
            result.extra = "unknown"
        case .union(let union):
            var scope = NameScope(nested.union(Self.forbiddenCases))
            result.names = union.variants.map { variant in
                let name = SwiftIdentifier.caseName(variant.rawName)
                return scope.claim(name, name + "Value")
            }
            result.extra = scope.claim("unknown", "unrecognized")
        case .alias, .pending, .removed: break
        }
        return result
    }

    private static let forbiddenMembers: Set<String> = ["self", "init", "hashValue", "Type", "Protocol"]
    private static let forbiddenCases: Set<String> = [
        "self", "init", "Type", "Protocol", "allCases", "knownValues", "unknownValue", "rawValue", "RawValue",
        "hashValue",
        "isKnown", "description",
    ]
    /// Members that every request type has.
    private static let requestMembers: Set<String> = [
        "path", "method", "headers", "query", "body", "options", "serializer", "failureSerializer", "parameterFields",
        "payload", "multipartForm", "security", "links", "paging",
    ]

    private func propertyName(_ text: String) -> String {
        let name = SwiftIdentifier.lowerCamel(text)
        return Self.forbiddenMembers.contains(name) ? name + "Value" : name
    }

    private func operationNames(
        _ model: APIModel, _ index: Int, _ type: String, _ overrides: inout OverrideUse
    ) -> OperationNames {
        let operation = model.operations[index]
        let nested = nested[.operation(index)] ?? []
        var scope = NameScope(nested.union(Self.requestMembers).union(Self.forbiddenMembers))
        if !operation.servers.isEmpty { _ = scope.claim("server") }
        let owner = operation.operationID ?? "\(operation.method) \(operation.path)"
        var parameters: [String] = []
        for parameter in operation.parameters {
            let name =
                overrides.property(parameter.name, of: owner)
                ?? propertyName(parameter.name.isEmpty ? "querystring" : parameter.name)
            parameters.append(
                scope.claim(name, name + "Parameter", name + parameter.location.rawValue.capitalizedFirst))
        }
        var parts: [String] = []
        var partHeaders: [[String]] = []
        if case .multipart(let declared)? = operation.body?.kind {
            for part in declared {
                let name = overrides.property(part.name, of: owner) ?? propertyName(part.name)
                parts.append(scope.claim(name, name + "Part"))
            }
            partHeaders = declared.map { part in
                part.headers.map { scope.claim(propertyName("\(part.name) \($0.name)")) }
            }
        }
        return OperationNames(
            type: type, parameters: parameters, parts: parts, partHeaders: partHeaders, payload: "payload",
            successes: Self.caseNames(operation.successes), failures: Self.caseNames(operation.failures))
    }

    static func caseNames(_ responses: [ResponseModel]) -> [String] {
        var scope = NameScope(forbiddenCases)
        return responses.map { response in
            scope.claim(SwiftIdentifier.lowerCamel(response.status.words + (response.variant.map { " " + $0 } ?? "")))
        }
    }
}

extension TypeDeclaration {
    /// True if it becomes a Swift declaration.
    var isEmitted: Bool {
        if case .removed = kind { false } else { true }
    }
}

extension String {
    var capitalizedFirst: String {
        guard let first else { return self }
        return first.uppercased() + dropFirst()
    }
}
