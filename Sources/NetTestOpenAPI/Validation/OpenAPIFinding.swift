#if Server
/// One place where an exchange is not what the document says.
public struct OpenAPIFinding: Sendable, Hashable, CustomStringConvertible {
    /// What kind of fault it is.
    public enum Kind: String, Sendable, Hashable {
        /// No operation has the path.
        case path
        /// The path has no operation with the method.
        case method
        /// A parameter is missing or is not what its schema says.
        case parameter
        /// The body of the request is missing or not what its schema says.
        case requestBody
        /// The media type of the request's body is not declared.
        case requestType
        /// The status is not declared.
        case status
        /// A field of the response is missing or not what its schema says.
        case responseField
        /// The body of the response is missing or not what its schema says.
        case responseBody
        /// The media type of the response's body is not declared.
        case responseType
    }

    /// What kind of fault it is.
    public var kind: Kind
    /// The operation, `GET /pets/{id}`; nil where none was found.
    public var operation: String?
    /// What is at fault: `query limit`, `header X-Page`, `body`, `status`.
    public var part: String
    /// The JSON pointer in the part's value; empty for the whole.
    public var instance: String
    /// The place in the document of what was broken, `#/components/schemas/Pet/required`.
    public var schema: String
    /// What is wrong, in a sentence.
    public var message: String

    /// Puts a finding together.
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
