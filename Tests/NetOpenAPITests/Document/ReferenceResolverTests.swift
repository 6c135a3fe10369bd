import Testing

@testable import NetOpenAPI

private let text = """
    openapi: 3.1.0
    paths:
      /pets/{id}:
        get: {responses: {'200': {$ref: '#/components/responses/Pet'}}}
    components:
      responses:
        Pet: {description: one}
      schemas:
        Pet:
          type: object
          description: base
          properties: {name: {type: string}}
        Alias: {$ref: '#/components/schemas/Pet', description: outer}
        Chain: {$ref: '#/components/schemas/Alias', deprecated: true, description: outermost}
        Anchored: {$anchor: here, type: integer}
        Loop: {$ref: '#/components/schemas/Loop2'}
        Loop2: {$ref: '#/components/schemas/Loop'}
        Self: {$ref: '#/components/schemas/Self'}
        'odd /~% name': {type: 'null'}
        Identified: {$id: 'https://e.com/s.json', properties: {x: {type: number}}}
        List: {anyOf: [{type: string}, {type: 'integer'}]}
    """

private func resolver(_ source: String = text) throws -> ReferenceResolver {
    ReferenceResolver(document: try DocumentLoader().load(bytes: source.bytes, name: "t.yaml"))
}

private func reference(_ target: String) throws -> Node {
    try JSONReader.read("{\"$ref\": \"\(target)\"}".bytes, name: "t.yaml").root
}

@Test(
    "A reference finds any pointer of the document",
    arguments: [
        ("#/components/schemas/Pet/properties/name", "{type: string}", "name"),
        ("#/paths/~1pets~1%7Bid%7D/get/responses/200", "{$ref: \"#/components/responses/Pet\"}", "200"),
        ("#/components/schemas/odd%20~1~0%25%20name", "{type: \"null\"}", "odd /~% name"),
        ("#/components/schemas/List/anyOf/1", "{type: \"integer\"}", "1"),
        ("#here", "{$anchor: here, type: integer}", "Anchored"),
        ("https://e.com/s.json#/properties/x", "{type: number}", "x"),
        ("#/components/schemas/Chain/properties/name", "{type: string}", "name"),
        ("#/paths/~1pets~1{id}/get/responses/200/description", "one", "description"),
    ])
func anyPointer(_ target: String, _ outline: String, _ name: String) throws {
    let found = try resolver().target(of: try reference(target))
    #expect(found.node.outline == outline)
    #expect(found.name == name)
    #expect(found.file == "t.yaml")
}

@Test("The pointer of a target is where the node stands, after references on the way")
func canonicalPointer() throws {
    let found = try resolver().target(of: try reference("#/components/schemas/Chain/properties/name"))
    #expect(found.pointer == "/components/schemas/Pet/properties/name")
    let whole = try resolver().target(of: try reference("#"))
    #expect(whole.pointer.isEmpty)
    #expect(whole.name == nil)
}

@Test("Resolving follows chains, and keywords beside a reference override")
func siblingsOverride() throws {
    let resolver = try resolver()
    let chain = try resolver.target(of: try reference("#/components/schemas/Chain"))
    #expect(
        try resolver.resolve(chain.node).outline
            == "{type: object, description: outermost, properties: {name: {type: string}}, deprecated: true}")
    let plain = try resolver.target(of: try reference("#/components/schemas/Pet")).node
    #expect(try resolver.resolve(plain).outline == plain.outline)
}

@Test("A reference that leads back to itself is an error, not a hang", arguments: ["Loop", "Loop2", "Self"])
func cycles(_ name: String) throws {
    let resolver = try resolver()
    let node = try reference("#/components/schemas/\(name)")
    #expect(throws: Diagnostic.self) { try resolver.resolve(node) }
    let inner = try reference("#/components/schemas/\(name)/properties/x")
    let error = try #require(throws: Diagnostic.self) { try resolver.target(of: inner) }
    #expect(error.message.hasSuffix("it leads through more than 64 references"))
}

@Test(
    "A dangling reference gives an error that suggests a similar target if there is one",
    arguments: [
        (
            "#/components/schemas/Pett",
            "'/components/schemas' has no 'Pett'; did you mean '#/components/schemas/Pet'?"
        ),
        ("#/components/schemas/pet", "did you mean '#/components/schemas/Pet'?"),
        ("#/definitions/Pet", "the top level has no 'definitions'; did you mean '#/components/responses/Pet'?"),
        ("#/definitions/Anchored", "did you mean '#/components/schemas/Anchored'?"),
        ("#/components/schema/Pet", "did you mean '#/components/schemas'?"),
        ("#components/schemas/Pet", "a pointer begins with '/'; did you mean '#/components/schemas/Pet'?"),
        ("#nowhere", "no schema has the '$anchor' 'nowhere'"),
        ("#/components/schemas/List/anyOf/2", "'/components/schemas/List/anyOf' has no '2'"),
        ("#/components/schemas/List/anyOf/01", "has no '01'"),
        ("#/components/schemas/Pet/type/x", "'/components/schemas/Pet/type' has no 'x'"),
        ("#/zzzzzzzzzz", "the top level has no 'zzzzzzzzzz'"),
        ("https://example.com/a.yaml", "it is a URL, which isn't fetched"),
        ("/etc/passwd", "it is an absolute path"),
        ("other.yaml", "the document came from memory"),
        ("Pet", "did you mean '#/components/responses/Pet'?"),
    ])
func dangling(_ target: String, _ says: String) throws {
    let resolver = try resolver()
    let node = try reference(target)
    let error = try #require(throws: Diagnostic.self) { try resolver.target(of: node) }
    #expect(error.severity == .error)
    #expect(error.position == node["$ref"]?.position)
    #expect(error.message.hasPrefix("the reference '\(target)' cannot be followed: "), "\(error)")
    #expect(error.message.contains(says), "\(error)")
}

@Test(
    "An invalid reference gives an error", arguments: [("{\"$ref\": [1]}", "an array"), ("{\"a\": 1}", "found none")])
func noReference(_ source: String, _ says: String) throws {
    let resolver = try resolver()
    let node = try json(source)
    let error = try #require(throws: Diagnostic.self) { try resolver.target(of: node) }
    #expect(error.message.contains(says))
}
