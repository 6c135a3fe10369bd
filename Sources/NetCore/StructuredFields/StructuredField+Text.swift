public import HTTPTypes

extension StructuredField.Item {
    /// Reads an item.
    public init(parsing text: some StringProtocol) throws(StructuredFieldError) {
        self = try StructuredFieldParser.parse(text) { parser throws(StructuredFieldError) in try parser.item() }
    }

    /// The text of a field. Throws for a value that RFC 9651 cannot express.
    public func serialized() throws(StructuredFieldError) -> String {
        try StructuredFieldWriter.write { writer throws(StructuredFieldError) in try writer.append(self) }
    }
}

extension StructuredField.List {
    /// Reads a list; an empty text is an empty list.
    public init(parsing text: some StringProtocol) throws(StructuredFieldError) {
        self = try StructuredFieldParser.parse(text) { parser throws(StructuredFieldError) in try parser.list() }
    }

    /// The text of a field; empty for an empty list, whose field is left out. Throws for a value that RFC 9651 cannot
    /// express.
    public func serialized() throws(StructuredFieldError) -> String {
        try StructuredFieldWriter.write { writer throws(StructuredFieldError) in try writer.append(self) }
    }
}

extension StructuredField.OrderedMap<StructuredField.Member> {
    /// Reads a dictionary; an empty text is an empty dictionary.
    public init(parsing text: some StringProtocol) throws(StructuredFieldError) {
        self = try StructuredFieldParser.parse(text) { parser throws(StructuredFieldError) in try parser.dictionary() }
    }

    /// The text of a field; empty for an empty dictionary, whose field is left out. Throws for a value that RFC 9651
    /// cannot express.
    public func serialized() throws(StructuredFieldError) -> String {
        try StructuredFieldWriter.write { writer throws(StructuredFieldError) in try writer.append(self) }
    }
}

extension HTTPFields {
    /// A field as an item; nil where it is absent. Its lines are joined by commas first.
    public func structuredItem(_ name: HTTPField.Name) throws(StructuredFieldError) -> StructuredField.Item? {
        guard let text = self[name] else { return nil }
        return try StructuredField.Item(parsing: text)
    }

    /// A field as a list; empty where it is absent.
    public func structuredList(_ name: HTTPField.Name) throws(StructuredFieldError) -> StructuredField.List {
        try StructuredField.List(parsing: self[name] ?? "")
    }

    /// A field as a dictionary; empty where it is absent.
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
