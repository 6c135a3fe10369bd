internal import NetCore

/// An attribute of a span, an event, a log record or a resource.
struct OTLPAttribute: Sendable, Hashable {
    /// The value of an attribute.
    indirect enum Value: Sendable, Hashable {
        case string(String)
        case integer(Int64)
        case double(Double)
        case bool(Bool)
        case array([Value])
        case object([OTLPAttribute])
    }

    let key: String
    let value: Value
}

extension OTLPAttribute.Value {
    /// Creates a value from JSON; nil for null, which has no counterpart.
    init?(_ json: JSONValue) {
        switch json {
        case .null: return nil
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .unsigned(let value): self = .string(String(value))
        case .number(let value): self = .double(value)
        case .decimal: self = .double(json.doubleValue ?? 0)
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(values.compactMap { Self($0) })
        case .object(let members): self = .object(OTLPAttributes(members).all)
        }
    }
}

/// The attributes of a span, an event, a record or a resource, in order; unknown (nil) values are omitted.
struct OTLPAttributes: Sendable, Hashable {
    private(set) var all: [OTLPAttribute] = []

    init() {}

    /// The members of a JSON object, by name.
    init(_ members: [String: JSONValue]) {
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            if let value = OTLPAttribute.Value(value) { add(key, value) }
        }
    }

    subscript(key: String) -> OTLPAttribute.Value? { all.last { $0.key == key }?.value }

    mutating func add(_ key: String, _ value: OTLPAttribute.Value) { all.append(OTLPAttribute(key: key, value: value)) }

    mutating func add(_ key: String, _ value: String?) { if let value { add(key, .string(value)) } }

    mutating func add(_ key: String, _ value: Int64?) { if let value { add(key, .integer(value)) } }

    mutating func add(_ key: String, _ value: Int?) { if let value { add(key, .integer(Int64(value))) } }

    mutating func add(_ key: String, _ value: Bool?) { if let value { add(key, .bool(value)) } }

    /// Adds a duration in seconds, the unit of OpenTelemetry.
    mutating func add(seconds key: String, _ value: Duration?) {
        if let value { add(key, .double(Double(value.inNanoseconds) / 1e9)) }
    }

    mutating func add(_ key: String, _ values: [String]) {
        if !values.isEmpty { add(key, .array(values.map { .string($0) })) }
    }
}

extension OTLPJSON {
    /// Appends a list of attributes.
    mutating func attributes(_ attributes: OTLPAttributes) {
        raw("[")
        for attribute in attributes.all { member(attribute) }
        raw("]")
    }

    private mutating func member(_ attribute: OTLPAttribute) {
        separate()
        raw("{\"key\":")
        string(attribute.key)
        raw(",\"value\":")
        value(attribute.value)
        raw("}")
    }

    private mutating func value(_ value: OTLPAttribute.Value) {
        switch value {
        case .string(let text):
            raw("{\"stringValue\":")
            string(text)
        case .integer(let number):
            raw("{\"intValue\":")
            long(number)
        case .double(let number):
            raw("{\"doubleValue\":")
            double(number)
        case .bool(let flag):
            raw("{\"boolValue\":")
            raw(flag ? "true" : "false")
        case .array(let values):
            raw("{\"arrayValue\":{\"values\":[")
            for element in values {
                separate()
                self.value(element)
            }
            raw("]}")
        case .object(let members):
            raw("{\"kvlistValue\":{\"values\":[")
            for member in members { self.member(member) }
            raw("]}")
        }
        raw("}")
    }
}
