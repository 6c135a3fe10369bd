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
        return try? FieldDecoder.decode(Value.self, text)
    }
}
