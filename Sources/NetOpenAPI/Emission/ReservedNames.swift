/// Names that generated types must not have, because they have another meaning in generated code or for its readers.
enum ReservedNames {
    static let types: Set<String> = standard.union(foundation).union(runtime).union(others)

    private static let standard: Set<String> = [
        "Any", "AnyHashable", "AnyObject", "Array", "ArraySlice", "AsyncSequence", "Bool", "CaseIterable", "Character",
        "Clock", "Codable", "CodingKey", "CodingKeys", "CodingUserInfoKey", "Collection", "Comparable",
        "CustomStringConvertible", "Decodable", "Decoder", "DecodingError", "Dictionary", "Double", "Duration",
        "Encodable",
        "Encoder", "EncodingError", "Equatable", "Error", "Float", "Hashable", "Hasher", "Identifiable", "Int", "Int16",
        "Int32", "Int64", "Int8", "Iterator", "Key", "KeyedDecodingContainer", "KeyedEncodingContainer", "KeyPath",
        "LosslessStringConvertible", "MainActor", "Never", "Optional", "Protocol", "Range", "RawRepresentable",
        "RawValue",
        "Regex", "Result", "Self", "Sendable", "Sequence", "Set", "String", "Substring", "Swift", "Task", "TaskGroup",
        "Type", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "Unicode", "Void",
    ]

    private static let foundation: Set<String> = [
        "Bundle", "Calendar", "Data", "Date", "DateComponents", "DateInterval", "Decimal", "FileManager", "Foundation",
        "FoundationEssentials", "IndexPath", "IndexSet", "JSONDecoder", "JSONEncoder", "Locale", "Measurement",
        "Notification", "NotificationCenter", "Operation", "OperationQueue", "Process", "Progress", "Thread",
        "TimeInterval",
        "TimeZone", "Timer", "Unit", "URL", "URLComponents", "URLQueryItem", "URLRequest", "URLSession", "UUID",
    ]

    /// Names of HTTPTypes, of the client, and of the members that requests declare.
    private static let others: Set<String> = [
        "Body", "Failure", "HTTPClient", "HTTPField", "HTTPFields", "HTTPRequest", "HTTPResponse", "HTTPTypes",
        "NetHTTP",
        "Output",
    ]
}
