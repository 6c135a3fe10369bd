/// The input of every emitter: the model, its names and the configuration.
struct SwiftContext: Sendable {
    let model: APIModel
    let names: SwiftNames
    let configuration: GeneratorConfiguration
    let sent: Set<TypeID>

    init(model: APIModel, names: SwiftNames, configuration: GeneratorConfiguration) {
        self.model = model
        self.names = names
        self.configuration = configuration
        sent = TypeReach(operations: model.operations, types: model.types).sent
    }

    /// The access level and a space, such as `public `.
    var access: String { configuration.accessLevel.rawValue + " " }

    /// The access level before a type, with `nonisolated`: requests and bodies are encoded and decoded anywhere,
    /// regardless of the target's default isolation (SE-0466).
    var typeAccess: String { "nonisolated " + access }

    /// Returns a type as Swift code.
    func text(_ type: TypeReference) -> String {
        switch type {
        case .scalar(let scalar): Self.text(scalar)
        case .array(let element): "[\(text(element))]"
        case .dictionary(let value): "[String: \(text(value))]"
        case .optional(let inner): text(inner) + "?"
        case .named(let id): names.qualified(id)
        }
    }

    static func text(_ scalar: TypeReference.Scalar) -> String {
        switch scalar {
        case .string: "String"
        case .bool: "Bool"
        case .int: "Int"
        case .int8: "Int8"
        case .int16: "Int16"
        case .int32: "Int32"
        case .int64: "Int64"
        case .uint: "UInt"
        case .uint8: "UInt8"
        case .uint16: "UInt16"
        case .uint32: "UInt32"
        case .uint64: "UInt64"
        case .double: "Double"
        case .decimal, .decimalText: "Decimal"
        case .data: "Data"
        case .date: "Date"
        case .calendarDate: "CalendarDate"
        case .uuid: "UUID"
        case .url: "URL"
        case .json: "JSONValue"
        }
    }

    /// Returns the storage of a property.
    func storage(_ property: PropertyModel, in owner: TypeID) -> PropertyStorage {
        let type = text(property.type)
        let isSent = sent.contains(owner)
        if property.isRequired {
            return property.isNullable
                ? .init(type: type + "?", isNullable: true, writesNull: true) : .init(type: type)
        }
        // Free-form JSON has its own null, but an absent member isn't null.
        if property.isNullable, isSent {
            return .init(type: "Nullable<\(type)>?", isNullable: true, isThreeState: true)
        }
        return .init(type: type + "?", isNullable: true)
    }

    /// Returns a default value as Swift code; nil if there is none, or none that can be written as a literal.
    func literal(_ node: Node?, for type: TypeReference) -> String? {
        guard let node, !node.isNull, let text = node.text else { return nil }
        switch model.unaliased(type) {
        case .scalar(.string): return SwiftLiteral.string(text)
        case .scalar(.bool): return node.bool.map { $0 ? "true" : "false" }
        case .scalar(.double):
            guard let number = Double(text), number.isFinite else { return nil }
            return number.description
        case .scalar(let scalar):
            return Self.fits(text, scalar) ? text : nil
        case .named(let id):
            guard case .enumeration(let enumeration) = model[id].kind else { return nil }
            let normal = enumeration.isInteger ? Int64(text).map(String.init) ?? text : text
            guard let place = enumeration.values.firstIndex(where: { $0.text == normal }) else { return nil }
            return "." + names[id].names[place]
        default: return nil
        }
    }

    private static func fits(_ text: String, _ scalar: TypeReference.Scalar) -> Bool {
        guard let number = Int64(text), String(number) == text else { return false }
        switch scalar {
        case .int, .int64: return true
        case .int8: return Int8(exactly: number) != nil
        case .int16: return Int16(exactly: number) != nil
        case .int32: return Int32(exactly: number) != nil
        case .uint, .uint64: return number >= 0
        case .uint8: return UInt8(exactly: number) != nil
        case .uint16: return UInt16(exactly: number) != nil
        case .uint32: return UInt32(exactly: number) != nil
        default: return false
        }
    }
}

/// The storage and encoding of a property.
struct PropertyStorage {
    var type: String
    var isNullable = false
    /// True if nil is sent as `null`.
    var writesNull = false
    /// True if an absent member and `null` are different.
    var isThreeState = false
}
