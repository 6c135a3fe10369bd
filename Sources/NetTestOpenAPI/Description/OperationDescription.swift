#if Server
internal import HTTPTypes
internal import NetCore

/// One operation of a document, with all references followed.
struct OperationDescription: Sendable {
    /// The method: uppercase, or as the document spells a custom one.
    var method: String
    /// The path template as written.
    var path: String
    /// The `operationId`.
    var identifier: String?
    /// The possible prefixes of the path: the base path of each server, without a trailing slash.
    var prefixes: [String]
    var route: RouteTemplate
    /// Query items that the path template itself contains.
    var fixedQuery: [(name: String, value: String?)]
    var parameters: [ParameterDescription]
    var body: BodyDescription?
    var responses: [ResponseDescription]
    var place: SchemaPlace

    /// `GET /pets/{id}`.
    var name: String { "\(method) \(path)" }

    /// The declared response for a status: its own code, else its range, else the default.
    func response(for status: Int) -> ResponseDescription? {
        responses.first { $0.status == .code(status) } ?? responses.first { $0.status == .range(status / 100) }
            ?? responses.first { $0.status == .other }
    }
}

/// A parameter, or a header of a response.
struct ParameterDescription: Sendable {
    enum Location: String, Sendable {
        case path, query, header, cookie
        /// The whole query (OpenAPI 3.2).
        case querystring
    }

    var name: String
    var location: Location
    var isRequired: Bool
    var style: String
    var explode: Bool
    var schema: SchemaID?
    /// The value's media type, if the parameter uses `content` instead of `schema`.
    var content: MediaDescription?
    var samples: [JSONValue] = []
    var place: SchemaPlace
}

/// A body in one media type.
struct MediaDescription: Sendable {
    /// The encoding of one field of a form.
    struct Encoding: Sendable {
        var contentType: String?
        var style: String?
        var explode: Bool?
    }

    /// The media type as written.
    var text: String
    /// Type and subtype in lower case; either may be `*`.
    var essence: String
    var schema: SchemaID?
    /// The schema of each value of a sequence (OpenAPI 3.2).
    var itemSchema: SchemaID?
    var encoding: [String: Encoding] = [:]
    var samples: [JSONValue] = []
    var place: SchemaPlace

    /// The quality of the match with a media type: 3 if equal, 2 or 1 for ranges, 0 if it doesn't match.
    func fit(_ other: String) -> Int {
        if essence == other { return 3 }
        if essence == "*/*" || essence == "*" { return 1 }
        let parts = essence.split(separator: "/")
        return parts.count == 2 && parts[1] == "*" && other.hasPrefix(parts[0] + "/") ? 2 : 0
    }

    /// Type and subtype of a header field's value, in lower case.
    static func essence(of text: String) -> String {
        let bare = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        return bare.split(separator: " ").joined().lowercased()
    }
}

struct BodyDescription: Sendable {
    var isRequired: Bool
    var content: [MediaDescription]
    var place: SchemaPlace
}

struct ResponseDescription: Sendable {
    enum Status: Hashable, Sendable {
        case code(Int)
        /// The first digit of `4XX`.
        case range(Int)
        case other
    }

    var status: Status
    var headers: [ParameterDescription]
    var content: [MediaDescription]
    var place: SchemaPlace
}
#endif
