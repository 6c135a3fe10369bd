#if Server
internal import HTTPTypes
internal import NetCore

/// One operation of a document, with all references followed.
struct OperationDescription: Sendable {
    /// The method in upper case, or as the document spells one of its own.
    var method: String
    /// The path template as written.
    var path: String
    /// The `operationId`.
    var identifier: String?
    /// What stands before the path: a base path of each server, without a slash at its end.
    var prefixes: [String]
    var route: RouteTemplate
    /// Items of a query that the path template itself holds.
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
    /// How the value is written where it is no plain text.
    var content: MediaDescription?
    var samples: [JSONValue] = []
    var place: SchemaPlace
}

/// A body in one media type.
struct MediaDescription: Sendable {
    /// How one field of a form is written.
    struct Encoding: Sendable {
        var contentType: String?
        var style: String?
        var explode: Bool?
    }

    /// As written.
    var text: String
    /// Type and subtype in lower case; either may be `*`.
    var essence: String
    var schema: SchemaID?
    /// The schema of each value of a sequence (OpenAPI 3.2).
    var itemSchema: SchemaID?
    var encoding: [String: Encoding] = [:]
    var samples: [JSONValue] = []
    var place: SchemaPlace

    /// How well a media type fits: 3 for the same, 2 and 1 for ranges, 0 for none.
    func fit(_ other: String) -> Int {
        if essence == other { return 3 }
        if essence == "*/*" || essence == "*" { return 1 }
        let parts = essence.split(separator: "/")
        return parts.count == 2 && parts[1] == "*" && other.hasPrefix(parts[0] + "/") ? 2 : 0
    }

    /// Type and subtype of a field's value, in lower case.
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
