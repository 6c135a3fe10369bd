/// One operation: its request and its responses.
struct OperationModel: Sendable {
    /// The `operationId`, or an identifier made from the method and path.
    var identifier: String
    /// The `operationId` as written in the document.
    var operationID: String?
    /// The method in uppercase.
    var method: String
    /// The path template as written.
    var path: String
    var pathParts: [PathPart]
    /// The query items that are part of the path template.
    var fixedQuery: [(name: String, value: String?)]
    var parameters: [ParameterModel]
    var body: BodyModel?
    var successes: [ResponseModel]
    var failures: [ResponseModel]
    var tags: [String]
    /// The servers that the document declares for the operation instead of its own; empty if there are none.
    var servers: [ServerModel] = []
    /// The links of the success responses.
    var links: [LinkModel] = []
    /// The way from one page of its responses to the next; nil if they aren't pages.
    var pagination: PaginationModel?
    /// The extension that describes pages.
    var paginationExtension: Node.Member?
    /// The security schemes by name with their scopes. The outer list contains the alternatives; an empty list means
    /// that no credential is needed. Nil if the document doesn't specify it.
    var security: [[SecurityRequirement]]?
    var documentation: Documentation
    var position: SourcePosition

    struct SecurityRequirement: Hashable, Sendable {
        var scheme: String
        var scopes: [String]
    }
}

/// A part of a path template.
enum PathPart: Hashable, Sendable {
    case literal(String)
    /// The parameter at this index in ``OperationModel/parameters``.
    case parameter(Int)
}

/// A path, query, header or cookie parameter.
struct ParameterModel: Sendable {
    enum Location: String, Sendable, Hashable {
        case path, query, header, cookie
    }

    var name: String
    var location: Location
    var type: TypeReference
    var isRequired: Bool
    var style: String
    var explode: Bool
    var allowsReserved: Bool
    /// True if the parameter may be sent without a value (`allowEmptyValue`).
    var allowsEmpty = false
    /// True if the value is sent as JSON text.
    var isJSON: Bool
    var defaultValue: Node?
    /// The least whole number that is allowed; nil if there is none.
    var minimum: Int?
    var documentation: Documentation
}

/// The request body of an operation.
struct BodyModel: Sendable {
    /// One part of a multipart form.
    struct Part: Sendable {
        enum Kind: Hashable, Sendable {
            case file, files
            case value(TypeReference)
        }

        var name: String
        var kind: Kind
        var isRequired: Bool
        /// The media types the document allows; for a value at most one, the type it is written as.
        var contentTypes: [String]
        /// The headers of the part itself.
        var headers: [HeaderModel] = []
        var documentation: Documentation
    }

    /// The serialization of one form field.
    struct FieldEncoding: Hashable, Sendable {
        var name: String
        var style: String
        var explode: Bool
    }

    enum Kind: Sendable {
        case json(TypeReference)
        case form(TypeReference, [FieldEncoding])
        case multipart([Part])
        case text
        /// Bytes or a stream, provided by the caller.
        case raw
    }

    var kind: Kind
    /// The media type; nil if the caller chooses it.
    var contentType: String?
    var isRequired: Bool
    var documentation: Documentation
    var examples: [ExampleModel] = []
}

/// An example of a body, as written in the document.
struct ExampleModel: Sendable {
    /// The name; nil for a single unnamed example.
    var name: String?
    var value: Node
}

/// One declared response.
struct ResponseModel: Sendable {
    /// The status codes a response applies to.
    enum Status: Hashable, Sendable {
        case code(Int)
        /// A range such as `4XX`, given by its first digit.
        case range(Int)
        case other
    }

    /// The content of a response.
    enum Content: Hashable, Sendable {
        case none
        case json(TypeReference)
        /// Text. The charset is the member of NetCore's `Charset` for responses that don't name one; nil for UTF-8.
        case text(charset: String?)
        case binary
        /// Server-sent events whose data is JSON of this type; nil for the events themselves.
        case events(TypeReference?)
        /// JSON values of this type, one per line or one per record (RFC 7464).
        case sequence(TypeReference, hasRecordSeparators: Bool)
    }

    var status: Status
    var content: Content
    /// The media type chosen from the declared ones.
    var contentType: String?
    /// The other media types with the same content; the request accepts them too.
    var otherTypes: [String] = []
    /// The words that distinguish it from other content of the same status; nil for the preferred one.
    var variant: String?
    var description: String?
    var examples: [ExampleModel] = []
    var headers: [HeaderModel] = []
}

/// A header that a response declares.
struct HeaderModel: Sendable {
    var name: String
    var type: TypeReference
    var isRequired = false
    var documentation: Documentation
}

/// A server that the document declares.
struct ServerModel: Hashable, Sendable {
    struct Variable: Hashable, Sendable {
        var name: String
        /// The default value.
        var value: String
        /// The only allowed values; empty if any value is allowed.
        var values: [String] = []
        var description: String?
    }

    /// The URL with the variables at their defaults; relative if it is relative in the document and the document has no
    /// absolute `$self`.
    var url: String
    /// The URL template, with `{names}` for the variables.
    var template: String
    /// The variables that occur in the URL.
    var variables: [Variable]
    var name: String?
    var description: String?

    /// True if the URL has a scheme.
    var isAbsolute: Bool { ServerURL(url).scheme != nil }
}

/// A document as operations and types, with every reference resolved and every choice made; names are the document's.
struct APIModel: Sendable {
    var title: String?
    var version: String?
    var servers: [ServerModel]
    var operations: [OperationModel]
    var types: [TypeDeclaration]
    /// The number of references in a value of each type, by the type's index; empty if it wasn't computed.
    var weights: [Int] = []
    var securitySchemes: [DeclaredScheme] = []
    var statistics = GeneratorStatistics()

    subscript(id: TypeID) -> TypeDeclaration { types[id.index] }

    /// Returns a type with its aliases resolved.
    func unaliased(_ type: TypeReference) -> TypeReference {
        var type = type
        for _ in 0..<64 {
            guard case .named(let id) = type, case .alias(let target) = self[id].kind else { return type }
            type = target
        }
        return .json
    }
}
