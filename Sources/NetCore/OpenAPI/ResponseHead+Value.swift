internal import HTTPTypes

extension ResponseHead {
    /// A field read as the type that a document declares for it: a text, a number, a date, an enumeration, or a list of them
    /// with commas between its elements.
    ///
    ///     let left: Int? = head.value("X-Rate-Limit-Remaining")
    ///
    /// Nil where the field is missing, or is not of that type; ``subscript(_:)`` has its text.
    public func value<Value: Decodable>(_ name: String) -> Value? {
        guard let name = HTTPField.Name(name), let text = self[name] else { return nil }
        if Value.self == String.self { return text as? Value }
        let elements = text.split(separator: ",").map { $0.trimmingSpaces }
        // As a text first: a date, or a value of an enumeration that is all digits.
        for json in [
            Self.quoted(text), text, "[\(elements.map(Self.quoted).joined(separator: ","))]",
            "[\(elements.joined(separator: ","))]",
        ] {
            if let value = try? JSONCoding.standard.decode(Value.self, from: Bytes(json.utf8)) { return value }
        }
        return nil
    }

    private static func quoted(_ text: String) -> String {
        guard let bytes = try? JSONCoding.standard.encode(text) else { return "\"\"" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
