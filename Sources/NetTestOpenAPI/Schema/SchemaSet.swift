#if Server
internal import NetCore

/// All schemas that are reachable from the operations of a document.
struct SchemaSet: Sendable {
    var schemas: [Schema] = []
    /// The types of each schema's values; empty before ``findTypes()``.
    private var types: [JSONTypes] = []

    private static let allTypes = JSONTypes(rawValue: 127)

    subscript(id: SchemaID) -> Schema { schemas[id.index] }

    /// Returns a schema with plain references resolved.
    func resolved(_ id: SchemaID) -> Schema {
        var schema = self[id]
        for _ in 0..<64 {
            guard let next = schema.reference else { break }
            schema = self[next]
        }
        return schema
    }

    /// The types that values of a schema have, as far as they can be determined; they decide how text in a query is
    /// read.
    func types(of id: SchemaID) -> JSONTypes {
        types.indices.contains(id.index) ? types[id.index] : Self.allTypes
    }

    /// The schema of a member by its name, from the schema itself or one of its parts.
    func property(_ name: String, of id: SchemaID) -> SchemaID? {
        let parts = parts(of: id)
        for part in parts {
            if let found = self[part].properties.first(where: { $0.name == name }) { return found.schema }
        }
        return parts.lazy.compactMap { self[$0].additionalProperties }.first
    }

    /// The names of all members that a schema defines.
    func propertyNames(of id: SchemaID) -> [String] {
        parts(of: id).flatMap { self[$0].properties.map(\.name) }
    }

    /// The schema of the elements of a list.
    func element(_ index: Int, of id: SchemaID) -> SchemaID? {
        for part in parts(of: id) {
            let schema = self[part]
            if schema.prefixItems.indices.contains(index) { return schema.prefixItems[index] }
            if let items = schema.items { return items }
        }
        return nil
    }

    /// Indicates whether a schema, or one of its parts, has a mark such as `readOnly`.
    func isMarked(_ id: SchemaID, _ mark: KeyPath<Schema, Bool>) -> Bool {
        parts(of: id, withUnions: false).contains { self[$0][keyPath: mark] }
    }

    /// A schema and all of its parts, each once, even if they refer to each other.
    private func parts(of id: SchemaID, withUnions: Bool = true) -> [SchemaID] {
        var found = [id]
        var known: Set<SchemaID> = [id]
        var next = 0
        while next < found.count, next < 10_000 {
            let schema = self[found[next]]
            let inner = (schema.reference.map { [$0] } ?? []) + schema.allOf
            for part in withUnions ? inner + schema.oneOf + schema.anyOf : inner where known.insert(part).inserted {
                found.append(part)
            }
            next += 1
        }
        return found
    }
}

extension SchemaSet {
    /// Finds the types of all schemas: first from each schema's own keywords, then repeatedly from its parts. The
    /// rounds end when nothing changes, so that cycles cost nothing extra.
    mutating func findTypes() {
        types = schemas.map(Self.ownTypes)
        for _ in 0..<32 {
            var isChanged = false
            for index in schemas.indices {
                let found = combinedTypes(schemas[index])
                if found != types[index] { (types[index], isChanged) = (found, true) }
            }
            guard isChanged else { return }
        }
    }

    private static func ownTypes(_ schema: Schema) -> JSONTypes {
        if schema.isNever { return [] }
        if var types = schema.types {
            if types.contains(.number) { types.insert(.integer) }
            return types
        }
        if let enumeration = schema.enumeration {
            return enumeration.reduce(into: []) { $0.formUnion(JSONTypes(of: $1)) }
        }
        return schema.constant.map { JSONTypes(of: $0) } ?? allTypes
    }

    private func combinedTypes(_ schema: Schema) -> JSONTypes {
        var result = Self.ownTypes(schema)
        for part in (schema.reference.map { [$0] } ?? []) + schema.allOf { result.formIntersection(types[part.index]) }
        for union in [schema.oneOf, schema.anyOf] where !union.isEmpty {
            result.formIntersection(union.reduce(into: []) { $0.formUnion(types[$1.index]) })
        }
        if result == Self.allTypes {
            if !schema.properties.isEmpty || schema.additionalProperties != nil {
                result = .object
            } else if schema.items != nil || !schema.prefixItems.isEmpty {
                result = .array
            }
        }
        return schema.isNullable ? result.union(.null) : result
    }
}
#endif
