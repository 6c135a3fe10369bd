#if DEBUG
@testable import NetOpenAPI

/// One value in two forms: as Swift source and as the JSON it encodes to.
struct SampleValue {
    var swift: String
    var json: String
}

/// Creates values of every type of a model.
struct SampleValues {
    let context: SwiftContext
    /// The depth up to which optional members and lists are filled.
    private static let depth = 5

    /// Returns a value; `fixed` contains the required text of some members of an object.
    func value(_ type: TypeReference, depth: Int = 0, stack: [TypeID] = [], fixed: [String: String] = [:])
        -> SampleValue
    {
        switch type {
        case .scalar(let scalar): return Self.scalar(scalar)
        case .optional(let inner): return value(inner, depth: depth, stack: stack)
        case .array(let element):
            guard depth < Self.depth else { return SampleValue(swift: "[]", json: "[]") }
            let value = value(element, depth: depth + 1, stack: stack)
            return SampleValue(swift: "[\(value.swift)]", json: "[\(value.json)]")
        case .dictionary(let element):
            guard depth < Self.depth else { return SampleValue(swift: "[:]", json: "{}") }
            let value = value(element, depth: depth + 1, stack: stack)
            return SampleValue(swift: "[\"key\": \(value.swift)]", json: "{\"key\":\(value.json)}")
        case .named(let id): return named(id, depth: depth, stack: stack, fixed: fixed)
        }
    }

    private func named(_ id: TypeID, depth: Int, stack: [TypeID], fixed: [String: String]) -> SampleValue {
        switch context.model[id].kind {
        case .alias(let target): return value(target, depth: depth, stack: stack + [id], fixed: fixed)
        case .enumeration(let enumeration):
            let value = enumeration.values[0].text
            let name = context.names[id].names[0]
            return SampleValue(
                swift: "\(context.names.qualified(id)).\(SwiftIdentifier.quoted(name))",
                json: enumeration.isInteger ? value : Self.json(value))
        case .object(let object): return self.object(object, id, depth: depth, stack: stack, fixed: fixed)
        case .union(let union): return self.union(union, id, depth: depth, stack: stack)
        case .pending, .removed: return Self.scalar(.json)
        }
    }

    private func object(
        _ model: ObjectModel, _ id: TypeID, depth: Int, stack: [TypeID], fixed: [String: String]
    ) -> SampleValue {
        var arguments: [(isRequired: Bool, text: String)] = []
        var members: [String] = []
        var rest = fixed
        let isDeep = depth >= Self.depth || stack.filter { $0 == id }.count > 0
        for (property, name) in zip(model.properties, context.names[id].names) {
            let fixedText = rest.removeValue(forKey: property.name)
            guard property.isRequired || !isDeep || fixedText != nil else { continue }
            let value =
                fixedText.map { self.fixed($0, property.type) }
                ?? value(property.type, depth: depth + 1, stack: stack + [id])
            let isThreeState = context.storage(property, in: id).isThreeState
            let text = isThreeState ? ".value(\(value.swift))" : value.swift
            arguments.append((property.isRequired, "\(SwiftIdentifier.label(name)): \(text)"))
            members.append("\(Self.json(property.name)):\(value.json)")
        }
        if let additional = model.additional, !isDeep {
            let value = value(additional, depth: depth + 1, stack: stack + [id])
            arguments.append((false, "\(context.names[id].extra): [\"extraMember\": \(value.swift)]"))
            members.append("\"extraMember\":\(value.json)")
        }
        for (name, text) in rest { members.append("\(Self.json(name)):\(Self.json(text))") }
        let ordered = arguments.filter(\.isRequired) + arguments.filter { !$0.isRequired }
        return SampleValue(
            swift: "\(context.names.qualified(id))(\(ordered.map(\.text).joined(separator: ", ")))",
            json: "{\(members.joined(separator: ","))}")
    }

    /// Returns the value of a member with a required text.
    private func fixed(_ text: String, _ type: TypeReference) -> SampleValue {
        if case .named(let id) = context.model.unaliased(type),
            case .enumeration(let enumeration) = context.model[id].kind
        {
            if let place = enumeration.values.firstIndex(where: { $0.text == text }) {
                let name = SwiftIdentifier.quoted(context.names[id].names[place])
                return SampleValue(
                    swift: "\(context.names.qualified(id)).\(name)",
                    json: enumeration.isInteger ? text : Self.json(text))
            }
            let unknown = SwiftIdentifier.quoted(context.names[id].extra)
            return SampleValue(
                swift: "\(context.names.qualified(id)).\(unknown)(\(SwiftLiteral.string(text)))", json: Self.json(text))
        }
        return SampleValue(swift: SwiftLiteral.string(text), json: Self.json(text))
    }

    private func union(_ model: UnionModel, _ id: TypeID, depth: Int, stack: [TypeID]) -> SampleValue {
        let type = context.names.qualified(id)
        for (variant, name) in zip(model.variants, context.names[id].names) where !leads(variant.type, to: stack + [id])
        {
            let fixed = model.discriminator.flatMap { key in variant.discriminatorValue.map { [key: $0] } } ?? [:]
            // A truncated variant may look like another one.
            let depth = min(depth + 1, Self.depth - 1)
            let value = value(variant.type, depth: depth, stack: stack + [id], fixed: fixed)
            return SampleValue(swift: "\(type).\(SwiftIdentifier.quoted(name))(\(value.swift))", json: value.json)
        }
        let unknown = SwiftIdentifier.quoted(context.names[id].extra)
        return SampleValue(swift: "\(type).\(unknown)(.bool(true))", json: "true")
    }

    private func leads(_ type: TypeReference, to stack: [TypeID]) -> Bool {
        guard case .named(let id) = context.model.unaliased(type) else { return false }
        return stack.contains(id)
    }

    private static func scalar(_ scalar: TypeReference.Scalar) -> SampleValue {
        switch scalar {
        case .string: SampleValue(swift: "\"text\"", json: "\"text\"")
        case .bool: SampleValue(swift: "true", json: "true")
        case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64:
            SampleValue(swift: "7", json: "7")
        case .double: SampleValue(swift: "1.5", json: "1.5")
        // An integer, which a schema of type integer requires as well.
        case .decimal: SampleValue(swift: "Decimal(2)", json: "2")
        case .decimalText: SampleValue(swift: "Decimal(2)", json: "\"2\"")
        case .data: SampleValue(swift: "Data(\"sample\".utf8)", json: "\"c2FtcGxl\"")
        case .date: SampleValue(swift: "Date(timeIntervalSince1970: 1_767_225_600)", json: "\"2026-01-01T00:00:00Z\"")
        case .calendarDate: SampleValue(swift: "CalendarDate(\"2026-02-28\")!", json: "\"2026-02-28\"")
        case .uuid:
            SampleValue(
                swift: "UUID(uuidString: \"0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1\")!",
                json: "\"0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1\"")
        case .url: SampleValue(swift: "URL(string: \"https://example.com/a\")!", json: "\"https://example.com/a\"")
        case .json:
            SampleValue(
                swift: "JSONValue.object([\"key\": .integer(9007199254740993)])", json: "{\"key\":9007199254740993}")
        }
    }

    /// Returns a text as JSON.
    static func json(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            default:
                if scalar.value >= 32 {
                    result.unicodeScalars.append(scalar)
                } else {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result + "\""
    }
}
#endif
