#if Server
/// A place where an exchange doesn't conform to the document.
public struct OpenAPIFinding: Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: String, Sendable, Hashable {
        /// No operation has the path.
        case path
        /// The path has no operation with the method.
        case method
        /// A parameter is missing, or its schema doesn't accept it.
        case parameter
        /// The request's body is missing, or its schema doesn't accept it.
        case requestBody
        /// The media type of the request's body is not declared.
        case requestType
        /// The status is not declared.
        case status
        /// A header field of the response is missing, or its schema doesn't accept it.
        case responseField
        /// The response's body is missing, or its schema doesn't accept it.
        case responseBody
        /// The media type of the response's body is not declared.
        case responseType
    }

    /// The kind of error.
    public var kind: Kind
    /// The operation, `GET /pets/{id}`; nil if no operation matched.
    public var operation: String?
    /// The part with the error: `query limit`, `header X-Page`, `body`, `status`.
    public var part: String
    /// The JSON pointer into the part's value; empty for the whole value.
    public var instance: String
    /// The place of the violated rule in the document, `#/components/schemas/Pet/required`.
    public var schema: String
    /// The error, as a sentence.
    public var message: String

    /// Creates a finding.
    public init(
        _ kind: Kind, operation: String? = nil, part: String, instance: String = "", schema: String = "",
        message: String
    ) {
        self.kind = kind
        self.operation = operation
        self.part = part
        self.instance = instance
        self.schema = schema
        self.message = message
    }

    /// `GET /pets, query limit: "x" is no integer (#/paths/~1pets/get/parameters/0/schema/type)`
    public var description: String {
        let place = part + (instance.isEmpty ? "" : " \(instance)")
        return "\(operation.map { "\($0), " } ?? "")\(place): \(message)\(schema.isEmpty ? "" : " (\(schema))")"
    }
}
#endif
