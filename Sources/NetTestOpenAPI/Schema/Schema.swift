#if Server
internal import NetCore
internal import NetTesting

/// A schema among the others of its ``SchemaSet``.
struct SchemaID: Hashable, Sendable {
    let index: Int
}

/// A schema with its keywords read and its references followed: all that a check needs, and nothing of the document.
struct Schema: Sendable {
    /// A member that a schema asks for by pattern.
    struct PatternMember: Sendable {
        var pattern: Pattern?
        var text: String
        var schema: SchemaID
    }

    /// How a union tells its kinds apart (OpenAPI, Discriminator Object).
    struct Discriminator: Sendable {
        var property: String
        /// The schemas by the value that chooses them.
        var mapping: [String: SchemaID]
    }

    /// Where it stands.
    var place: SchemaPlace
    /// Accepts nothing: the schema `false`.
    var isNever = false
    /// Accepts null whatever else it says (OpenAPI 3.0).
    var isNullable = false
    var isReadOnly = false
    var isWriteOnly = false
    /// What `$ref` leads to.
    var reference: SchemaID?

    var types: JSONTypes?
    /// The only value, in canonical form.
    var constant: JSONValue?
    /// The values it may have, in canonical form.
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

    /// Values that the document offers.
    var samples: [JSONValue] = []
    /// How the text of a string is coded: `base64`.
    var contentEncoding: String?
    var contentMediaType: String?
    /// The schema of what a string holds.
    var contentSchema: SchemaID?

    init(place: SchemaPlace) { self.place = place }
}
#endif
