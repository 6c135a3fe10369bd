public import HTTPTypes

extension StructuredField.Item {
    /// Parses an item.
    public init(parsing text: some StringProtocol) throws(StructuredFieldError) {
        self = try StructuredFieldParser.parse(text) { parser throws(StructuredFieldError) in try parser.item() }
    }

    /// Returns the header value. Throws for a value that RFC 9651 can't represent.
    public func serialized() throws(StructuredFieldError) -> String {
        try StructuredFieldWriter.write { writer throws(StructuredFieldError) in try writer.append(self) }
    }
}

extension StructuredField.List {
    /// Parses a list; an empty text is an empty list.
    public init(parsing text: some StringProtocol) throws(StructuredFieldError) {
        self = try StructuredFieldParser.parse(text) { parser throws(StructuredFieldError) in try parser.list() }
    }

    /// Returns the header value; empty for an empty list, in which case the header must be omitted. Throws for a
    /// value that RFC 9651 can't represent.
    public func serialized() throws(StructuredFieldError) -> String {
        try StructuredFieldWriter.write { writer throws(StructuredFieldError) in try writer.append(self) }
    }
}

extension StructuredField.OrderedMap<StructuredField.Member> {
    /// Parses a dictionary; an empty text is an empty dictionary.
    public init(parsing text: some StringProtocol) throws(StructuredFieldError) {
        self = try StructuredFieldParser.parse(text) { parser throws(StructuredFieldError) in try parser.dictionary() }
    }

    /// Returns the header value; empty for an empty dictionary, in which case the header must be omitted. Throws for
    /// a value that RFC 9651 can't represent.
    public func serialized() throws(StructuredFieldError) -> String {
        try StructuredFieldWriter.write { writer throws(StructuredFieldError) in try writer.append(self) }
    }
}

extension HTTPFields {
    /// Returns a header as an item; nil if it's absent. Several lines are joined by commas first.
    public func structuredItem(_ name: HTTPField.Name) throws(StructuredFieldError) -> StructuredField.Item? {
        guard let text = self[name] else { return nil }
        return try StructuredField.Item(parsing: text)
    }

    /// Returns a header as a list; empty if it's absent.
    public func structuredList(_ name: HTTPField.Name) throws(StructuredFieldError) -> StructuredField.List {
        try StructuredField.List(parsing: self[name] ?? "")
    }

    /// Returns a header as a dictionary; empty if it's absent.
    ///
    ///     let headers: HTTPFields = ["Priority": "u=1"]
    ///     let urgency = try headers.structuredDictionary("Priority")["u"]?.item?.value.integer
    ///     print(urgency ?? 3)
    public func structuredDictionary(
        _ name: HTTPField.Name
    ) throws(StructuredFieldError) -> StructuredField.Dictionary {
        try StructuredField.Dictionary(parsing: self[name] ?? "")
    }
}
