/// Names of generated declarations that replace those made from the document.
///
///     let names = NameOverrides(
///         types: ["pet_v2": "Pet", "Pet.Status": "PetStatus"], operations: ["getPetsUsingGET": "listPets"],
///         properties: ["pet_v2.nm": "name", "getPetsUsingGET.lim": "limit"])
public struct NameOverrides: Sendable, Hashable {
    /// Names of types by the name of their component schema; those of nested types by their Swift name, such as
    /// `Pet.Status`.
    public var types: [String: String]
    /// Names of operations by their `operationId`, or by method and path such as `GET /pets`. The request type of
    /// `listPets` is `ListPetsRequest`.
    public var operations: [String: String]
    /// Names of properties by the name of their schema, a dot, and their name in JSON; those of parameters and parts of
    /// forms by the `operationId`, a dot and their name.
    public var properties: [String: String]

    /// Creates overrides. Default none.
    public init(
        types: [String: String] = [:], operations: [String: String] = [:], properties: [String: String] = [:]
    ) {
        self.types = types
        self.operations = operations
        self.properties = properties
    }

    /// Parses texts such as `pet_v2=Pet`; nil if one of them has no `=` or a side is empty.
    package static func pairs(_ texts: [String]) -> [String: String]? {
        var result: [String: String] = [:]
        for text in texts {
            guard let mark = text.lastIndex(of: "="), mark > text.startIndex, text.index(after: mark) < text.endIndex
            else { return nil }
            result[String(text[..<mark])] = String(text[text.index(after: mark)...])
        }
        return result
    }
}

/// The overrides while names are given, with those that were used.
struct OverrideUse: Sendable {
    private let names: NameOverrides
    private(set) var used: Set<String> = []

    init(_ names: NameOverrides) {
        self.names = names
    }

    var isEmpty: Bool { names == NameOverrides() }

    mutating func type(_ key: String) -> String? { look(up: key, in: names.types, "type") }
    mutating func operation(_ key: String) -> String? { look(up: key, in: names.operations, "operation") }
    mutating func property(_ name: String, of owner: String) -> String? {
        look(up: "\(owner).\(name)", in: names.properties, "property")
    }

    private mutating func look(up key: String, in names: [String: String], _ kind: String) -> String? {
        guard !names.isEmpty, let name = names[key] else { return nil }
        used.insert("\(kind) '\(key)'")
        return name
    }

    /// The overrides that match nothing in the document.
    var unused: [String] {
        let all =
            names.types.keys.map { "type '\($0)'" } + names.operations.keys.map { "operation '\($0)'" }
            + names.properties.keys.map { "property '\($0)'" }
        return all.filter { !used.contains($0) }.sorted()
    }
}
