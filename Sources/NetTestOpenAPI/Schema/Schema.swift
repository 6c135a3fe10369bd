#if Server
internal import NetCore
internal import NetTesting

/// The identifier of a schema in a ``SchemaSet``.
struct SchemaID: Hashable, Sendable {
    let index: Int
}

/// A schema with its keywords read and its references resolved: everything a check needs, independent of the document.
struct Schema: Sendable {
    /// A member schema of `patternProperties`.
    struct PatternMember: Sendable {
        var pattern: Pattern?
        var text: String
        var schema: SchemaID
    }

    /// The property that distinguishes the kinds of a union (OpenAPI, Discriminator Object).
    struct Discriminator: Sendable {
        var property: String
        /// The schemas, keyed by the value that selects them.
        var mapping: [String: SchemaID]
    }

    /// The schema's place in the document.
    var place: SchemaPlace
    /// Accepts nothing: the schema `false`.
    var isNever = false
    /// Accepts null regardless of its other keywords (OpenAPI 3.0).
    var isNullable = false
    var isReadOnly = false
    var isWriteOnly = false
    /// The target of `$ref`.
    var reference: SchemaID?

    var types: JSONTypes?
    /// The only allowed value, in canonical form.
    var constant: JSONValue?
    /// The allowed values, in canonical form.
    var enumeration: [JSONValue]?

    var minimum: Double?
    var maximum: Double?
    var excludesMinimum = false
    var excludesMaximum = false
    var multipleOf: Double?
    var minLength: Int?
    var maxLength: Int?
    var pattern: Pattern?
    var patternText: String?
    var format: String?

    var items: SchemaID?
    var prefixItems: [SchemaID] = []
    var contains: SchemaID?
    var minContains: Int?
    var maxContains: Int?
    var minItems: Int?
    var maxItems: Int?
    var hasUniqueItems = false
    var unevaluatedItems: SchemaID?

    var properties: [(name: String, schema: SchemaID)] = []
    var required: [String] = []
    var patternProperties: [PatternMember] = []
    var additionalProperties: SchemaID?
    var propertyNames: SchemaID?
    var minProperties: Int?
    var maxProperties: Int?
    var dependentRequired: [(name: String, needs: [String])] = []
    var dependentSchemas: [(name: String, schema: SchemaID)] = []
    var unevaluatedProperties: SchemaID?

    var allOf: [SchemaID] = []
    var oneOf: [SchemaID] = []
    var anyOf: [SchemaID] = []
    var not: SchemaID?
    var condition: SchemaID?
    var consequence: SchemaID?
    var alternative: SchemaID?
    var discriminator: Discriminator?

    /// Example values from the document.
    var samples: [JSONValue] = []
    /// The encoding of a string's content: `base64`.
    var contentEncoding: String?
    var contentMediaType: String?
    /// The schema of a string's content.
    var contentSchema: SchemaID?

    init(place: SchemaPlace) { self.place = place }
}
#endif
