internal import HTTPTypes

extension ResponseHead {
    /// Returns a header decoded as the type that a document declares for it: a text, a number, a date, an enumeration,
    /// or a comma-separated list of them.
    ///
    ///     let left: Int? = head.value("X-Rate-Limit-Remaining")
    ///
    /// Returns nil if the header is missing or isn't of that type; ``subscript(_:)`` returns its text.
    @_spi(Generated) public func value<Value: Decodable>(_ name: String) -> Value? {
        guard let name = HTTPField.Name(name), let text = self[name] else { return nil }
        return try? FieldDecoder.decode(Value.self, text)
    }
}
