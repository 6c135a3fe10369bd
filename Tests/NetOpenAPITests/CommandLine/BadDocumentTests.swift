#if Tools
import Foundation
import Testing

@testable import NetOpenAPI

/// A document that can't become code, and its error message.
private let badDocuments: [(name: String, content: [UInt8], says: String)] = [
    ("empty.yaml", [], "empty.yaml:1:1: error: the file is empty (0 bytes)"),
    ("blank.json", "\n \n".bytes, "blank.json:1:1: error: the document is empty"),
    ("binary.yaml", [0x7F, 0x45, 0x4C, 0x46, 0, 1], "binary.yaml:1:5: error: the file is binary: byte 5 is NUL"),
    ("latin1.yaml", "a: caf".bytes + [0xE9, 0x0A], "latin1.yaml:1:7: error: the text is not UTF-8: byte 7 is 0xE9"),
    ("wide.json", [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], "wide.json:1:1: error: the document is in UTF-16"),
    ("broken.json", #"{"openapi": "3.0.0","#.bytes, "broken.json:1:21: error: the text ends where a key"),
    ("broken.yaml", "openapi: 3.0.0\npaths: [".bytes, "broken.yaml:3:1: error: the YAML is not valid"),
    ("alias.yaml", "a: *b".bytes, "alias.yaml:1:4: error: the alias '*b' has no anchor"),
    (
        "swagger.json", #"{"swagger": "2.0", "paths": {}}"#.bytes,
        "swagger.json:1:13: error: the document is Swagger 2.0"
    ),
    ("none.yaml", "info: {}\n".bytes, "none.yaml:1:1: error: the field 'openapi' is missing"),
    ("four.yaml", "openapi: 4.0.0\npaths: {}\n".bytes, "four.yaml:1:10: error: OpenAPI '4.0.0' is not supported"),
    ("types.yaml", "openapi: []\n".bytes, "types.yaml:1:10: error: the field 'openapi' is text such as 3.1.0"),
    ("pathless.yaml", "openapi: 3.0.3\n".bytes, "pathless.yaml:1:1: error: the field 'paths' is missing"),
    ("array.json", "[]".bytes, "array.json:1:1: error: an OpenAPI document is an object"),
    ("deep.json", Array(repeating: 0x5B, count: 5000), "deep.json:1:513: error: arrays and objects nest deeper"),
    (
        "url.yaml", (minimalDocument + "components: {schemas: {A: {$ref: 'https://e.com/a'}}}\n").bytes,
        "url.yaml:4:34: warning: the reference 'https://e.com/a' cannot be followed: it is a URL"
    ),
    (
        "leaves.yaml", (minimalDocument + "components: {schemas: {A: {$ref: '../../a.yaml'}}}\n").bytes,
        "leaves.yaml:4:34: warning: the reference '../../a.yaml' cannot be followed: the file '../../a.yaml' is outside"
    ),
]

@Test("A bad document is told on standard error, and nothing is written", arguments: badDocuments.indices)
func badDocumentIsTold(_ index: Int) throws {
    let bad = badDocuments[index]
    let folder = try TemporaryFolder()
    try folder.write(Data(bad.content), to: bad.name)
    let outcome = try CommandRunner.run(bad.name, "--output", "out/deeper", "--strict", folder: folder.path)
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors.contains(bad.says), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(try folder.names() == [bad.name])
}

@Test(
    "A path that holds no document is told",
    arguments: [
        ("missing.yaml", "error: there is no file 'missing.yaml'; check the path\n"),
        ("folder", "error: 'folder' is a folder; name the OpenAPI document in it\n"),
        ("/dev/null", "error: '/dev/null' is not a regular file; name an OpenAPI document\n"),
    ])
func pathWithoutDocument(_ path: String, _ says: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "folder/file")
    let outcome = try CommandRunner.run(path, "--output", "out", folder: folder.path)
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors == says)
    #expect(try folder.names() == ["folder", "folder/file"])
}

@Test("A document that may not be read is told")
func unreadableDocument() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(minimalDocument, to: "secret.yaml")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    guard !FileManager.default.isReadableFile(atPath: path) else {
        print("skipped: 1 case of a file without permission, this user may read every file")
        return
    }
    let outcome = try CommandRunner.run("secret.yaml", "--output", "out", folder: folder.path)
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors == "error: 'secret.yaml' may not be read; check its permissions\n")
}
#endif
