/// Type names that a model must not have, because generated code or its reader means something else by them.
enum ReservedNames {
    static let types: Set<String> = standard.union(foundation).union(netCore)

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

    private static let netCore: Set<String> = [
        "ActivityEvent", "ActivityListener", "APIClient", "APIError", "APIRequest", "BaseURL", "BodyDelivery",
        "BodySource", "Boxed", "Call", "DefaultCall", "SchemaMembers",
        "Bytes", "CalendarDate", "CallContext", "CallID", "CallSummary", "ChunkExchange", "Credential", "Empty",
        "FormEncoding",
        "FormFile",
        "HTTPClient", "HTTPField", "HTTPFields", "HTTPRequest", "HTTPResponse", "HTTPTransport", "HTTPTypes",
        "JSONCoding",
        "JSONKey", "JSONLines", "JSONValue", "MemberVisitor", "Middleware", "MultipartForm", "NetClock", "NetCore",
        "NetOpenAPIRuntime",
        "NetError",
        "NetHTTP",
        "NetRandom",
        "Nullable", "ObjectMembers", "OpenEnum", "OperationServer", "ParameterFields", "ParameterStyle", "Path",
        "PreparedRequest",
        "QueryBuilder",
        "QueryItem",
        "RedactionPolicy", "RejectedResponse", "Request", "RequestBody", "RequestMetadata", "RequestOptions",
        "Response", "ResponseBody",
        "ResponseHead", "ResponseSerializer", "RetryEligibility", "SerializationContext", "ServerSentEvent",
        "SchemaObject", "ServerSentEvents", "StatusValidation", "StreamedResponse", "Timeouts", "TransferMetrics",
        "UndeclaredMembers", "UndeclaredResponse",
        "UnionDecoder", "Body", "Failure", "Output",
    ]
}
