#if Server
internal import NetCore

/// All schemas that the operations of a document reach.
struct SchemaSet: Sendable {
    var schemas: [Schema] = []

    subscript(id: SchemaID) -> Schema { schemas[id.index] }

    /// What a schema is when plain references are followed.
    func resolved(_ id: SchemaID) -> Schema {
        var schema = self[id]
        for _ in 0..<64 {
            guard let next = schema.reference else { break }
            schema = self[next]
        }
        return schema
    }

    /// The types that values of a schema have, as far as they can be told: what a text in a query is read as.
    func types(of id: SchemaID, depth: Int = 0) -> JSONTypes {
        let all = JSONTypes(rawValue: 127)
        guard depth < 16 else { return all }
        let schema = self[id]
        if schema.isNever { return [] }
        var types = schema.types ?? all
        if schema.types?.contains(.number) == true { types.insert(.integer) }
        if let enumeration = schema.enumeration, schema.types == nil {
            types = enumeration.reduce(into: []) { $0.formUnion(JSONTypes(of: $1)) }
        } else if let constant = schema.constant, schema.types == nil {
            types = JSONTypes(of: constant)
        }
        if let reference = schema.reference { types.formIntersection(self.types(of: reference, depth: depth + 1)) }
        for part in schema.allOf { types.formIntersection(self.types(of: part, depth: depth + 1)) }
        for union in [schema.oneOf, schema.anyOf] where !union.isEmpty {
            types.formIntersection(union.reduce(into: []) { $0.formUnion(self.types(of: $1, depth: depth + 1)) })
        }
        if types == all, !schema.properties.isEmpty || schema.additionalProperties != nil { types = .object }
        if types == all, schema.items != nil || !schema.prefixItems.isEmpty { types = .array }
        return schema.isNullable ? types.union(.null) : types
    }

    /// The schema of a member by its name, in the schema itself or in what it is put together from.
    func property(_ name: String, of id: SchemaID, depth: Int = 0) -> SchemaID? {
        guard depth < 16 else { return nil }
        let schema = self[id]
        if let own = schema.properties.first(where: { $0.name == name }) { return own.schema }
        let parts = (schema.reference.map { [$0] } ?? []) + schema.allOf + schema.oneOf + schema.anyOf
        for part in parts {
            if let found = property(name, of: part, depth: depth + 1) { return found }
        }
        return schema.additionalProperties
    }

    /// The names of all members that a schema knows.
    func propertyNames(of id: SchemaID, depth: Int = 0) -> [String] {
        guard depth < 16 else { return [] }
        let schema = self[id]
        let parts = (schema.reference.map { [$0] } ?? []) + schema.allOf + schema.oneOf + schema.anyOf
        return schema.properties.map(\.name) + parts.flatMap { propertyNames(of: $0, depth: depth + 1) }
    }

    /// The schema of the elements of a list.
    func element(_ index: Int, of id: SchemaID, depth: Int = 0) -> SchemaID? {
        guard depth < 16 else { return nil }
        let schema = self[id]
        if schema.prefixItems.indices.contains(index) { return schema.prefixItems[index] }
        if let items = schema.items { return items }
        let parts = (schema.reference.map { [$0] } ?? []) + schema.allOf + schema.oneOf + schema.anyOf
        for part in parts {
            if let found = element(index, of: part, depth: depth + 1) { return found }
        }
        return nil
    }

    /// Whether a schema, or what it is put together from, bears a mark such as `readOnly`.
    func isMarked(_ id: SchemaID, _ mark: KeyPath<Schema, Bool>, depth: Int = 0) -> Bool {
        guard depth < 8 else { return false }
        let schema = self[id]
        if schema[keyPath: mark] { return true }
        let parts = (schema.reference.map { [$0] } ?? []) + schema.allOf
        return parts.contains { isMarked($0, mark, depth: depth + 1) }
    }
}
#endif
