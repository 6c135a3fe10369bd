import Testing

@testable import NetOpenAPI

@Test(
    "Supported versions are accepted",
    arguments: [
        ("3.0.0", SpecificationVersion.openAPI30), ("3.0.4", .openAPI30), ("3.1.1", .openAPI31), ("3.2.0", .openAPI32),
        ("3.1", .openAPI31), ("'3.1.0'", .openAPI31),
    ])
func supportedVersions(_ text: String, _ version: SpecificationVersion) throws {
    let document = try DocumentLoader().load(bytes: "openapi: \(text)\npaths: {}\n".bytes, name: "t")
    #expect(document.version == version)
    #expect(document.diagnostics.isEmpty)
}

@Test(
    "A document whose frame is wrong gives one error with its place",
    arguments: [
        ("swagger: '2.0'\npaths: {}", "1:10", "the document is Swagger 2.0"),
        ("swagger: 2.0\npaths: {}", "1:10", "convert it to OpenAPI 3.0 or later first"),
        ("swagger: []", "1:10", "the document is Swagger"),
        ("info: {}\npaths: {}", "1:1", "the field 'openapi' is missing"),
        ("openapi: 4.0.0\npaths: {}", "1:10", "OpenAPI '4.0.0' is not supported; 3.0, 3.1 and 3.2 are supported"),
        ("openapi: 3.10.0\npaths: {}", "1:10", "OpenAPI '3.10.0' is not supported"),
        ("openapi: 2.0\npaths: {}", "1:10", "OpenAPI '2.0' is not supported"),
        ("openapi: latest\npaths: {}", "1:10", "OpenAPI 'latest' is not supported"),
        ("openapi: []\npaths: {}", "1:10", "the field 'openapi' is text such as 3.1.0; found an array"),
        ("openapi: {a: 1}\npaths: {}", "1:10", "found an object"),
        ("openapi:\npaths: {}", "1:9", "found null"),
        ("openapi: 3.0.0", "1:1", "the field 'paths' is missing; OpenAPI 3.0 requires it"),
        ("openapi: 3.1.0", "1:1", "none of 'paths', 'webhooks' and 'components'"),
        ("openapi: 3.1.0\npaths: [1]", "2:8", "the field 'paths' is an object; found an array"),
        (
            "openapi: 3.1.0\npaths: {}\ncomponents: text", "3:13",
            "the field 'components' is an object; found the scalar text"
        ),
        ("openapi: 3.1.0\nwebhooks: 'text'", "2:11", "the field 'webhooks' is an object; found text"),
        ("[1, 2]", "1:1", "found an array"),
        ("just text", "1:1", "found the scalar just text"),
        ("~", "1:1", "found null"),
    ])
func wrongFrames(_ text: String, _ place: String, _ says: String) throws {
    let document = try DocumentLoader().load(bytes: text.bytes, name: "t")
    #expect(document.diagnostics.count == 1)
    let error = try #require(document.diagnostics.first)
    #expect(error.severity == .error)
    #expect(error.description.hasPrefix("t:\(place): "), "\(error)")
    #expect(error.message.contains(says), "\(error)")
}

@Test("OpenAPI 3.1 needs no paths beside webhooks or components", arguments: ["webhooks", "components"])
func pathsAreOptional(_ key: String) throws {
    #expect(loadError("openapi: 3.1.0\n\(key): {}\n".bytes) == nil)
}

@Test("OpenAPI 3.0 without paths is a warning where there is something else")
func pathsAreWanted() throws {
    let document = try DocumentLoader().load(bytes: "openapi: 3.0.0\ncomponents: {}\n".bytes, name: "t")
    #expect(document.diagnostics.map(\.severity) == [.warning])
    #expect(document.diagnostics.first?.message.contains("'paths' is missing") == true)
}
