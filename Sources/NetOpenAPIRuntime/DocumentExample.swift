internal import NetCore

/// An example from an OpenAPI document together with the type generated from its schema, for a test of the document.
///
/// With the option `examples`, the generator writes all of them as one list:
///
///     let first = DocumentExample("GET /numbers 200", "[1, 2.5]", as: [Double].self)
///     try first.check()
public struct DocumentExample: Sendable, CustomStringConvertible {
    /// The error thrown if an example doesn't match its type.
    public struct Mismatch: Error, Sendable, CustomStringConvertible {
        /// The name of the example, the place in it as a JSON pointer (RFC 6901), and the problem.
        public let description: String
    }

    /// The name: the operation, then `request` or the status, and the example's own name if it has one.
    public let name: String
    /// The example as JSON.
    public let json: String
    private let roundTrip: @Sendable (Bytes) throws -> Bytes

    /// Creates an example of a type.
    public init<Value: Codable & Sendable>(_ name: String, _ json: String, as type: Value.Type) {
        self.name = name
        self.json = json
        roundTrip = { try JSONCoding.standard.encode(try JSONCoding.standard.decode(type, from: $0)) }
    }

    public var description: String { name }

    /// Decodes the example as its type, encodes the result, and compares the two.
    ///
    /// Numbers, including those in strings, and times are compared by value. A member that is null may be missing
    /// afterward.
    ///
    /// - Throws: ``Mismatch`` if the example can't be decoded, or if a value is lost, added or changed.
    public func check() throws(Mismatch) {
        let (before, after): (JSONValue, JSONValue)
        do {
            let bytes = Bytes(json.utf8)
            before = try JSONCoding.standard.decode(JSONValue.self, from: bytes)
            after = try JSONCoding.standard.decode(JSONValue.self, from: try roundTrip(bytes))
        } catch {
            throw Mismatch(description: "\(name): the example doesn't fit its schema: \(error)")
        }
        if let difference = Self.difference(before, after, at: "") {
            throw Mismatch(description: "\(name): \(difference)")
        }
    }

    /// Returns the first place at which two values differ, and how they differ; nil if they are equal.
    private static func difference(_ before: JSONValue, _ after: JSONValue, at place: String) -> String? {
        switch (before, after) {
        case (.object(let old), .object(let new)):
            for key in Set(old.keys).union(new.keys).sorted() {
                let pointer = "\(place)/\(key.replacing("~", with: "~0").replacing("/", with: "~1"))"
                let change = difference(old[key] ?? .null, new[key] ?? .null, at: pointer)
                if let change { return change }
            }
            return nil
        case (.array(let old), .array(let new)) where old.count == new.count:
            for (index, pair) in zip(old, new).enumerated() {
                if let change = difference(pair.0, pair.1, at: "\(place)/\(index)") { return change }
            }
            return nil
        default:
            guard before != after, !isSameNumber(before, after), !isSameTime(before, after) else { return nil }
            return "\(place.isEmpty ? "the value" : place) is \(text(before)), and the type writes \(text(after))"
        }
    }

    private static func text(_ value: JSONValue) -> String {
        let text = (try? JSONCoding.standard.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
        return text.count > 80 ? text.prefix(80) + "…" : text
    }

    private static func isSameNumber(_ before: JSONValue, _ after: JSONValue) -> Bool {
        number(before).map { $0 == number(after) } ?? false
    }

    /// Returns a number, also one in a string.
    private static func number(_ value: JSONValue) -> Double? {
        value.doubleValue ?? value.stringValue.flatMap { Double($0) }
    }

    private static func isSameTime(_ before: JSONValue, _ after: JSONValue) -> Bool {
        guard let old = before.stringValue, let new = after.stringValue, let date = RFC3339.date(from: old) else {
            return false
        }
        return date == RFC3339.date(from: new)
    }
}
