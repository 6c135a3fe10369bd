import Foundation
import Testing

@testable import NetOpenAPI

/// Creates a document of several files.
private func load(_ files: [String: String], root: String = "api/openapi.yaml") throws -> (TemporaryFolder, Document) {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(text, to: name) }
    return (folder, try DocumentLoader().load(path: folder.path + "/" + root))
}

private func document(_ reference: String) -> String {
    minimalDocument + "components: {schemas: {A: {$ref: '\(reference)'}}}\n"
}

private func schema(_ document: Document) throws -> Node {
    try #require(document.root["components"]?["schemas"]?["A"])
}

@Test("References reach files of both formats, from file to file and back")
func filesAreReached() throws {
    let (folder, document) = try load([
        "api/openapi.yaml": document("schemas/a.json#/defs/A"),
        "api/schemas/a.json": #"{"defs": {"A": {"$ref": "b%20c.yaml"}}}"#,
        "api/schemas/b c.yaml": "$ref: '../openapi.yaml#/info'\n",
    ])
    let resolver = ReferenceResolver(document: document)
    let first = try resolver.target(of: try schema(document))
    #expect(first.file == folder.path + "/api/schemas/a.json")
    #expect(first.pointer == "/defs/A")
    #expect(try resolver.resolve(try schema(document)).outline == "{title: t, version: \"1\"}")
    #expect(resolver.checkAll() == [])
    let second = try resolver.target(of: first.node)
    #expect(second.name == nil)
    #expect(try resolver.target(of: second.node).file == document.name)
}

@Test(
    "A reference cannot leave the document's folder",
    arguments: [
        "../secret.yaml", "x/../../secret.yaml", "%2E%2E/secret.yaml", "link.yaml", "linked/secret.yaml",
    ])
func referencesStayInside(_ reference: String) throws {
    let (folder, document) = try load([
        "api/openapi.yaml": document(reference), "secret.yaml": "type: string\n", "outside/secret.yaml": "a: 1\n",
    ])
    let manager = FileManager.default
    try manager.createSymbolicLink(
        atPath: folder.path + "/api/link.yaml", withDestinationPath: folder.path + "/secret.yaml")
    try manager.createSymbolicLink(
        atPath: folder.path + "/api/linked", withDestinationPath: folder.path + "/outside")
    let errors = ReferenceResolver(document: document).checkAll()
    #expect(errors.count == 1)
    #expect(errors.first?.message.contains("is outside the folder '\(folder.path)/api'") == true, "\(errors)")
    #expect(errors.first?.position?.line == 4)
}

@Test("A wider folder for references lets them reach further")
func widerFolder() throws {
    let (folder, _) = try load([
        "api/openapi.yaml": document("../common/c.yaml#/A"), "common/c.yaml": "A: {type: string}\n",
    ])
    let loader = DocumentLoader(referenceFolder: folder.path)
    let document = try loader.load(path: folder.path + "/api/openapi.yaml")
    let resolver = ReferenceResolver(document: document, loader: loader)
    #expect(try resolver.target(of: try schema(document)).file == folder.path + "/common/c.yaml")
}

@Test(
    "A file that cannot be read is told at the reference",
    arguments: [
        ("none.yaml", "there is no file"), ("broken.yaml", "the YAML is not valid"), ("folder", "is a folder"),
        ("binary.yaml", "the file is binary"), ("good.yaml#/x", "the top level of "),
    ])
func unreadableParts(_ reference: String, _ says: String) throws {
    let (folder, document) = try load([
        "api/openapi.yaml": document(reference), "api/broken.yaml": "a: [", "api/folder/x": "", "api/good.yaml": "a: 1",
        "api/binary.yaml": "a\u{0}b",
    ])
    let errors = ReferenceResolver(document: document).checkAll()
    #expect(errors.count == 1)
    #expect(errors.first?.message.contains(says) == true, "\(errors)")
    #expect(errors.first?.position?.file == folder.path + "/api/openapi.yaml")
}

@Test("A description may be a file of prose")
func proseFiles() throws {
    let (folder, document) = try load([
        "api/openapi.yaml": minimalDocument + "tags: [{name: a, description: {$ref: a.md}}]\n",
        "api/a.md": "# Title: *bold*\n",
    ])
    let resolver = ReferenceResolver(document: document)
    let description = try #require(document.root["tags"]?.elements.first?["description"])
    let text = try resolver.resolve(description)
    #expect(text.text == "# Title: *bold*\n")
    #expect(text.position == SourcePosition(file: folder.path + "/api/a.md", line: 1, column: 1))
}

@Test("Names in positions follow the path as the user wrote it")
func namesFollowThePath() throws {
    let (folder, _) = try load(["api/openapi.yaml": document("a.yaml"), "api/a.yaml": "x: 1\nx: 2\n"])
    let path = folder.path + "/api/../api/openapi.yaml"
    let document = try DocumentLoader().load(path: path)
    let resolver = ReferenceResolver(document: document)
    #expect(try resolver.target(of: try schema(document)).file == folder.path + "/api/../api/a.yaml")
    #expect(resolver.warnings.map(\.position?.line) == [2])
}
