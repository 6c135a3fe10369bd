/// One operation: what is sent and what comes back.
struct OperationModel: Sendable {
    /// The `operationId`, or one made of the method and path.
    var identifier: String
    /// The `operationId` as the document has it.
    var operationID: String?
    /// The method in upper case.
    var method: String
    /// The path template as written.
    var path: String
    var pathParts: [PathPart]
    /// Query items that the path template itself holds.
    var fixedQuery: [(name: String, value: String?)]
    var parameters: [ParameterModel]
    var body: BodyModel?
    var successes: [ResponseModel]
    var failures: [ResponseModel]
    var tags: [String]
    /// The servers that the document names for it in place of its own; empty for none.
    var servers: [ServerModel] = []
    /// The security schemes by name with their scopes; alternatives follow one another.
    var security: [[SecurityRequirement]]
    var documentation: Documentation
    var position: SourcePosition

    struct SecurityRequirement: Hashable, Sendable {
        var scheme: String
        var scopes: [String]
    }
}

/// A piece of a path template.
enum PathPart: Hashable, Sendable {
    case literal(String)
    /// The parameter with that index in ``OperationModel/parameters``.
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
    /// Whether the value is sent as JSON text.
    var isJSON: Bool
    var defaultValue: Node?
    var documentation: Documentation
}

/// What an operation sends.
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
        /// The media types that the document allows; of a value at most the one that it is written as.
        var contentTypes: [String]
        var documentation: Documentation
    }

    /// How one field of a form is written.
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
        /// Bytes or a stream, as the caller makes them.
        case raw
    }

    var kind: Kind
    /// The media type; nil leaves it to the caller.
    var contentType: String?
    var isRequired: Bool
    var documentation: Documentation
    var examples: [ExampleModel] = []
}

/// An example of a body, as the document has it.
struct ExampleModel: Sendable {
    /// Its name; nil for the only one.
    var name: String?
    var value: Node
}

/// One declared response.
struct ResponseModel: Sendable {
    /// Which status codes it is for.
    enum Status: Hashable, Sendable {
        case code(Int)
        /// The first digit of `4XX`.
        case range(Int)
        case other
    }

    /// What it brings.
    enum Content: Hashable, Sendable {
        case none
        case json(TypeReference)
        /// Text; the charset is the member of NetCore's type that a response is read in which names none, nil for UTF-8.
        case text(charset: String?)
        case binary
        /// Server-sent events with JSON of that type in their data; nil hands out the events themselves.
        case events(TypeReference?)
        /// JSON values of that type, one a line, or one a record of RFC 7464.
        case sequence(TypeReference, hasRecordSeparators: Bool)
    }

    var status: Status
    var content: Content
    /// The media type that was chosen.
    var contentType: String?
    var description: String?
    var examples: [ExampleModel] = []
    var headers: [HeaderModel] = []
}

/// A field that a response declares.
struct HeaderModel: Sendable {
    var name: String
    var type: TypeReference
    var documentation: Documentation
}

/// A server the document names.
struct ServerModel: Hashable, Sendable {
    struct Variable: Hashable, Sendable {
        var name: String
        /// The default.
        var value: String
        /// The only values that it can have; empty for any.
        var values: [String] = []
        var description: String?
    }

    /// The URL with the variables at their defaults; relative where the document does not say where it is.
    var url: String
    /// The URL as written, with `{names}`.
    var template: String
    /// The variables that the URL has.
    var variables: [Variable]
    var name: String?
    var description: String?

    /// Whether it is a whole URL.
    var isAbsolute: Bool { ServerURL(url).scheme != nil }
}

/// A document as operations and types, with every reference resolved and every choice made; names are the document's.
struct APIModel: Sendable {
    var title: String?
    var version: String?
    var servers: [ServerModel]
    var operations: [OperationModel]
    var types: [TypeDeclaration]
    /// How many references lie in a value of each type; none where nobody asked.
    var weights: [Int] = []
    var securitySchemes: [SecurityScheme] = []
    var statistics = GeneratorStatistics()

    subscript(id: TypeID) -> TypeDeclaration { types[id.index] }

    /// What a type is when aliases are followed.
    func unaliased(_ type: TypeReference) -> TypeReference {
        var type = type
        for _ in 0..<64 {
            guard case .named(let id) = type, case .alias(let target) = self[id].kind else { return type }
            type = target
        }
        return .json
    }
}
