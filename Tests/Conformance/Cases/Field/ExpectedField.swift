import NetCore

/// Values in the notation of the case files.
enum ExpectedField {
    static func item(_ value: JSONValue) throws -> StructuredField.Item {
        guard let pair = value.arrayValue, pair.count == 2 else { throw Malformed() }
        return StructuredField.Item(try bareItem(pair[0]), parameters: try parameters(pair[1]))
    }

    static func list(_ value: JSONValue) throws -> StructuredField.List {
        guard let members = value.arrayValue else { throw Malformed() }
        return StructuredField.List(try members.map(member))
    }

    static func dictionary(_ value: JSONValue) throws -> StructuredField.Dictionary {
        guard let members = value.arrayValue else { throw Malformed() }
        var dictionary = StructuredField.Dictionary()
        for entry in members {
            guard let pair = entry.arrayValue, pair.count == 2, let key = pair[0].stringValue else { throw Malformed() }
            dictionary[key] = try member(pair[1])
        }
        return dictionary
    }

    private static func member(_ value: JSONValue) throws -> StructuredField.Member {
        guard let pair = value.arrayValue, pair.count == 2, let items = pair[0].arrayValue else {
            return .item(try item(value))
        }
        return .innerList(.init(try items.map(item), parameters: try parameters(pair[1])))
    }

    private static func parameters(_ value: JSONValue) throws -> StructuredField.Parameters {
        var parameters = StructuredField.Parameters()
        for entry in value.arrayValue ?? [] {
            guard let pair = entry.arrayValue, pair.count == 2, let key = pair[0].stringValue else { throw Malformed() }
            parameters[key] = try bareItem(pair[1])
        }
        return parameters
    }

    private static func bareItem(_ value: JSONValue) throws -> StructuredField.BareItem {
        switch value {
        case .string(let text): return .string(text)
        case .bool(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .number(let value): return .decimal(value)
        case .decimal(let value): return .decimal(Double("\(value)") ?? .nan)
        case .object(let members): return try typed(members)
        default: throw Malformed()
        }
    }

    private static func typed(_ members: [String: JSONValue]) throws -> StructuredField.BareItem {
        switch (members["__type"]?.stringValue, members["value"]) {
        case ("token", .string(let text)?): return .token(text)
        case ("displaystring", .string(let text)?): return .displayString(text)
        case ("date", .integer(let seconds)?): return .date(seconds)
        case ("binary", .string(let text)?): return .byteSequence(base32(text))
        default: throw Malformed()
        }
    }

    private static func base32(_ text: String) -> Bytes {
        var (group, bits, output) = (UInt32(0), 0, [UInt8]())
        for byte in text.utf8 where byte != UInt8(ascii: "=") {
            let value = byte >= UInt8(ascii: "A") ? byte - UInt8(ascii: "A") : byte - UInt8(ascii: "2") + 26
            group = group << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                output.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        return Bytes(output)
    }
}
