import Testing

@testable import NetOpenAPI

private func errors(_ text: String) throws -> [Diagnostic] {
    let document = try DocumentLoader().load(bytes: ("openapi: 3.1.0\n" + text).bytes, name: "t.yaml")
    return ReferenceResolver(document: document).checkAll()
}

@Test("Every dangling reference is found, with its place and pointer")
func everyDanglingReference() throws {
    let found = try errors(
        """
        paths:
          /a:
            get:
              parameters: [{$ref: '#/p'}]
              responses:
                default: {$ref: '#/r'}
        components:
          schemas:
            A: {properties: {example: {$ref: '#/s'}, $ref: {$ref: '#/t'}}, $ref: '#/u'}
            B: {$ref: 12}
            C: {$ref: [1]}
        """)
    #expect(
        found.map(\.pointer) == [
            "/paths/~1a/get/parameters/0", "/paths/~1a/get/responses/default", "/components/schemas/A",
            "/components/schemas/A/properties/example", "/components/schemas/A/properties/$ref",
            "/components/schemas/B", "/components/schemas/C",
        ])
    #expect(found.first?.position == SourcePosition(file: "t.yaml", line: 5, column: 27))
}

@Test(
    "A reference in data is not looked at",
    arguments: [
        "example: {$ref: '#/no'}", "examples: {a: {value: {$ref: '#/no'}}}", "default: {$ref: '#/no'}",
        "enum: [{$ref: '#/no'}]", "const: {$ref: '#/no'}", "x-y: {$ref: '#/no'}",
        "discriminator: {propertyName: a, mapping: {$ref: '#/no'}}",
    ])
func dataIsSkipped(_ keyword: String) throws {
    #expect(try errors("components: {schemas: {A: {\(keyword)}}}") == [])
}

@Test(
    "An author's names are no keywords",
    arguments: [
        "headers: {x-a: {$ref: '#/no'}}", "properties: {default: {$ref: '#/no'}}", "$defs: {const: {$ref: '#/no'}}",
    ])
func namesAreWalked(_ keyword: String) throws {
    #expect(try errors("components: {schemas: {A: {\(keyword)}}}").count == 1)
}

@Test("A part kept under an extension is checked when something refers to it")
func extensionsAreReached() throws {
    #expect(try errors("x-a: {b: {$ref: '#/no'}}\npaths: {/a: {$ref: '#/x-a'}}").count == 1)
}

@Test("Endless references are told, recursive schemas are not")
func endlessReferences() throws {
    let endless = try errors("components: {schemas: {A: {$ref: '#/components/schemas/A'}}}")
    #expect(
        endless.map(\.message) == [
            "the reference '#/components/schemas/A' leads back to itself and never to a value"
        ])
    #expect(try errors("components: {schemas: {A: {properties: {a: {$ref: '#/components/schemas/A'}}}}}") == [])
}

@Test("A document full of dangling references stays fast")
func manyDanglingReferences() throws {
    let names = (0..<3000).map { "Name\($0)Of\($0)Schema" }
    let schemas = names.map { "    \($0): {properties: {a: {$ref: '#/components/schemas/\($0)x'}}}" }
    let found = try errors("components:\n  schemas:\n" + schemas.joined(separator: "\n"))
    #expect(found.count == 3000)
    #expect(found.first?.message.contains("did you mean '#/components/schemas/Name0Of0Schema'?") == true)
}
