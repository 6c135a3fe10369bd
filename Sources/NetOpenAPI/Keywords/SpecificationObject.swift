/// The kinds of objects in an OpenAPI document (OpenAPI 3.0, 3.1 and 3.2, section "Schema"), and their keywords.
enum SpecificationObject: String, Hashable {
    case openAPI, info, server, serverVariable, components, paths, pathItem, operation, parameter, header, requestBody
    case mediaType, encoding, responses, response, callback, link, tag, securityScheme, flows, flow, schema,
        discriminator

    /// The name in a message.
    var words: String {
        switch self {
        case .openAPI: "a document"
        case .info: "the info"
        case .server: "a server"
        case .serverVariable: "a server variable"
        case .components: "the components"
        case .paths: "the paths"
        case .pathItem: "a path"
        case .operation: "an operation"
        case .parameter: "a parameter"
        case .header: "a header"
        case .requestBody: "a request body"
        case .mediaType: "a media type"
        case .encoding: "an encoding"
        case .responses: "the responses"
        case .response: "a response"
        case .callback: "a callback"
        case .link: "a link"
        case .tag: "a tag"
        case .securityScheme: "a security scheme"
        case .flows: "the OAuth flows"
        case .flow: "an OAuth flow"
        case .schema: "a schema"
        case .discriminator: "a discriminator"
        }
    }

    /// True if the object may be a reference instead.
    var allowsReference: Bool {
        switch self {
        case .parameter, .header, .requestBody, .response, .callback, .link, .securityScheme, .mediaType: true
        default: false
        }
    }
}

/// The use that the generator makes of a keyword.
enum KeywordUse {
    /// It decides on the code, or is part of its comments.
    case used
    /// It is for people, and changes nothing about requests and responses.
    case documentation
    /// It restricts values, which generated code doesn't check.
    case constraint
    /// It isn't used, for this reason.
    case unused(String)
    /// Its value is an object, a list of objects, or a map of names to objects.
    case object(SpecificationObject)
    case list(SpecificationObject)
    case map(SpecificationObject)
}

extension SpecificationObject {
    /// The use of a keyword; nil for an unknown one.
    func use(of keyword: String) -> KeywordUse? {
        switch self {
        // Their members have names of the author's choice.
        case .paths: .object(.pathItem)
        case .responses: .object(.response)
        case .callback: .object(.pathItem)
        default: Self.tables[self]?[keyword]
        }
    }

    private static let schemaKeywords: [String: KeywordUse] = {
        var table: [String: KeywordUse] = [
            "properties": .map(.schema), "patternProperties": .map(.schema), "$defs": .map(.schema),
            "definitions": .map(.schema), "items": .object(.schema), "prefixItems": .list(.schema),
            "additionalProperties": .object(.schema), "allOf": .list(.schema), "oneOf": .list(.schema),
            "anyOf": .list(.schema), "discriminator": .object(.discriminator), "contentSchema": .used,
            "not": .unused("values that it excludes are accepted"),
            "if": .unused("all of 'then' and 'else' is accepted"), "then": .unused("it isn't part of the type"),
            "else": .unused("it isn't part of the type"),
            "dependentRequired": .unused("members that it requires may be missing"),
            "dependentSchemas": .unused("it isn't part of the type"),
            "dependencies": .unused("it isn't part of the type"),
            "unevaluatedProperties": .unused("other members are kept"),
            "unevaluatedItems": .unused("other elements are kept"),
            "additionalItems": .unused("other elements are kept"),
            "propertyNames": .unused("members of any name are accepted"),
            "contains": .unused("lists without such an element are accepted"),
            "contentMediaType": .used, "xml": .unused("XML is neither read nor written"),
            "$recursiveRef": .unused("it is of a draft that OpenAPI doesn't use"),
            "$recursiveAnchor": .unused("it is of a draft that OpenAPI doesn't use"),
            "collectionFormat": .unused("it is of Swagger 2.0"),
        ]
        for key in [
            "$ref", "$dynamicRef", "$dynamicAnchor", "$id", "$anchor", "type", "format", "enum", "const", "required",
            "nullable", "default", "title", "description", "deprecated", "readOnly", "writeOnly", "contentEncoding",
        ] {
            table[key] = .used
        }
        for key in ["example", "examples", "externalDocs", "$comment", "$schema", "$vocabulary"] {
            table[key] = .documentation
        }
        for key in [
            "minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
            "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "minContains",
            "maxContains",
        ] {
            table[key] = .constraint
        }
        return table
    }()

    private static let operations = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    private static func table(
        used: [String] = [], documentation: [String] = [], _ others: [String: KeywordUse] = [:]
    ) -> [String: KeywordUse] {
        var table = others
        for key in used { table[key] = .used }
        for key in documentation { table[key] = .documentation }
        return table
    }

    private static let tables: [SpecificationObject: [String: KeywordUse]] = [
        .openAPI: table(
            used: ["openapi", "$self", "security"], documentation: ["externalDocs", "jsonSchemaDialect"],
            [
                "info": .object(.info), "servers": .list(.server), "paths": .object(.paths),
                "webhooks": .map(.pathItem),
                "components": .object(.components), "tags": .list(.tag),
            ]),
        .info: table(
            used: ["title", "version"],
            documentation: ["summary", "description", "termsOfService", "contact", "license"]),
        .server: table(used: ["url", "description", "name"], ["variables": .map(.serverVariable)]),
        .serverVariable: table(used: ["enum", "default", "description"]),
        .components: table(
            documentation: ["examples"],
            [
                "schemas": .map(.schema), "responses": .map(.response), "parameters": .map(.parameter),
                "requestBodies": .map(.requestBody), "headers": .map(.header), "securitySchemes": .map(.securityScheme),
                "links": .map(.link), "callbacks": .map(.callback), "pathItems": .map(.pathItem),
                "mediaTypes": .map(.mediaType),
            ]),
        .pathItem: table(
            used: ["$ref", "summary"], documentation: ["description"],
            operations.reduce(
                into: [
                    "servers": .list(.server), "parameters": .list(.parameter),
                    "additionalOperations": .map(.operation),
                ]
            ) { $0[$1] = .object(.operation) }),
        .operation: table(
            used: ["tags", "summary", "description", "operationId", "deprecated", "security"],
            documentation: ["externalDocs"],
            [
                "parameters": .list(.parameter), "requestBody": .object(.requestBody), "responses": .object(.responses),
                "callbacks": .map(.callback), "servers": .list(.server),
            ]),
        .parameter: table(
            used: [
                "name", "in", "description", "required", "deprecated", "allowEmptyValue", "style", "explode",
                "allowReserved",
            ], documentation: ["example", "examples"], ["schema": .object(.schema), "content": .map(.mediaType)]),
        .header: table(
            used: ["description", "required", "deprecated", "style", "explode"],
            documentation: ["example", "examples"],
            [
                "schema": .object(.schema), "content": .map(.mediaType),
                "allowReserved": .unused("a header has no escapes"),
                "allowEmptyValue": .unused("it is for query parameters"),
            ]),
        .requestBody: table(used: ["description", "required"], ["content": .map(.mediaType)]),
        .mediaType: table(
            documentation: ["example", "examples"],
            [
                "schema": .object(.schema), "itemSchema": .object(.schema), "encoding": .map(.encoding),
                "prefixEncoding": .unused("parts are found by their names"),
                "itemEncoding": .unused("parts are found by their names"),
            ]),
        .encoding: table(
            used: ["contentType", "style", "explode"],
            [
                "headers": .map(.header), "allowReserved": .unused("reserved characters of a form are escaped"),
                "encoding": .unused("a part isn't a form itself"),
                "prefixEncoding": .unused("a part isn't a form itself"),
                "itemEncoding": .unused("a part isn't a form itself"),
            ]),
        .response: table(
            used: ["description"], documentation: ["summary"],
            ["headers": .map(.header), "content": .map(.mediaType), "links": .map(.link)]),
        .link: table(
            used: ["operationRef", "operationId", "parameters", "requestBody", "description", "server"]),
        .tag: table(used: ["name"], documentation: ["description", "externalDocs", "summary", "parent", "kind"]),
        .securityScheme: table(
            used: ["type", "description", "name", "in", "scheme", "bearerFormat", "openIdConnectUrl", "deprecated"],
            [
                "flows": .object(.flows),
                "oauth2MetadataUrl": .unused("the URLs of the flows are"),
            ]),
        .flows: table(
            [
                "authorizationCode": .object(.flow), "implicit": .object(.flow), "password": .object(.flow),
                "clientCredentials": .object(.flow), "deviceAuthorization": .object(.flow),
            ]),
        .flow: table(
            used: ["authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl", "scopes"]),
        .discriminator: table(
            used: ["propertyName", "mapping"],
            ["defaultMapping": .unused("a value without the member is matched by its other members")]),
        .schema: schemaKeywords,
    ]
}
