#if Tools
import Foundation
import Testing

@testable import NetOpenAPI

private let smallDocument = """
    openapi: 3.1.0
    info: {title: Shelf, version: '1'}
    servers: [{url: 'https://books.example.com'}]
    paths:
      /books:
        get:
          operationId: listBooks
          responses:
            '200':
              description: Books.
              content:
                application/json:
                  schema: {type: array, items: {$ref: '#/components/schemas/Book'}}
    components:
      schemas:
        Book: {type: object, required: [id], properties: {id: {type: string}}}

    """

@Test("Help and version go to standard output with exit code 0")
func helpAndVersion() throws {
    let help = try CommandRunner.run("--help")
    #expect(help.exitCode == 0)
    #expect(help.output.contains("USAGE: net-openapi-generate"))
    for option in ["--output", "--access", "--prefix", "--files", "--check", "--list-outputs"] {
        #expect(help.output.contains(option))
    }
    let version = try CommandRunner.run("--version")
    #expect(version.exitCode == 0)
    #expect(version.output == "0.1.0\n")
}

@Test(
    "Wrong arguments are told on standard error",
    arguments: [
        ([], "document"), (["a.yaml"], "--output is missing"), (["a.yaml", "--output", ""], "--output is missing"),
        (["a.yaml", "--output", "o", "--access", "open"], "--access"),
        (["a.yaml", "--output", "o", "--files", "0"], "--files must be a number from 1 to 256; found 0"),
        (["a.yaml", "--output", "o", "--files", "x"], "--files"),
        (["", "--output", "o"], "path of the document is empty"),
        (["a.yaml", "--output", "o", "--nonsense"], "--nonsense"),
    ])
func wrongArguments(_ arguments: [String], _ says: String) throws {
    let executable = CommandRunner.buildFolder.appending(path: "net-openapi-generate")
    let outcome = try CommandRunner.run(executable: executable, arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
}

@Test(
    "The names it lists are the names it writes, and the build plugin expects",
    arguments: [
        "openapi.yaml", "petstore.openapi.json", "odd name é.openapi.yml", ".openapi.yaml",
    ])
func namesAgree(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(smallDocument, to: "in/" + name)
    let count = String(OutputNames.chunkCount)
    let listed = try CommandRunner.run(path, "--list-outputs", "--files", count)
    #expect(listed.exitCode == 0)
    let names = listed.output.split(separator: "\n").map(String.init)
    #expect(names == OutputNames.outputs(forDocument: name))
    #expect(OutputNames.isDocument(name))
    let outcome = try CommandRunner.run(path, "--output", folder.path + "/out", "--files", count)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out").sorted() == names.sorted())
}

@Test("A run reports what it made, and a second one leaves the files alone")
func unchangedFilesAreLeftAlone() throws {
    let folder = try TemporaryFolder()
    try folder.write(smallDocument, to: "shelf.yaml")
    let first = try CommandRunner.run("shelf.yaml", "--output", "a/b", "--files", "2", folder: folder.path)
    #expect(first.exitCode == 0, "\(first.errors)")
    #expect(first.output.hasPrefix("shelf.yaml: 1 operation, 1 model, 5 files (5 written) in "))
    let file = URL(filePath: folder.path + "/a/b/shelf+Models1.swift")
    let before = try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int
    let second = try CommandRunner.run("shelf.yaml", "--output", "a/b/", "--files", "2", folder: folder.path)
    #expect(second.output.contains("5 files (0 written)"))
    #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int == before)
    let other = try CommandRunner.run(
        "shelf.yaml", "--output", "a/b", "--files", "2", "--access", "internal", "--prefix", "Other",
        folder: folder.path)
    #expect(other.output.contains("5 files (5 written)"))
    #expect(try String(contentsOf: file, encoding: .utf8).contains("public struct Book"))
    let internalFile = URL(filePath: folder.path + "/a/b/Other+Models1.swift")
    #expect(try !String(contentsOf: internalFile, encoding: .utf8).contains("public struct Book"))
}

@Test("A check passes on fresh files and names those that differ")
func checkNamesDifferences() throws {
    let folder = try TemporaryFolder()
    let document = try folder.write(smallDocument, to: "shelf.yaml")
    let output = folder.path + "/out"
    let before = try CommandRunner.run(document, "--output", output, "--check")
    #expect(before.exitCode == 1)
    #expect(try folder.names() == ["shelf.yaml"])
    _ = try CommandRunner.run(document, "--output", output)
    let fresh = try CommandRunner.run(document, "--output", output, "--check")
    #expect(fresh.exitCode == 0)
    #expect(fresh.output == "\(document): 3 files are up to date\n")
    try folder.write("// edited\n", to: "out/shelf+Models1.swift")
    try FileManager.default.removeItem(atPath: output + "/shelf+Servers.swift")
    let drifted = try CommandRunner.run(document, "--output", output, "--check")
    #expect(drifted.exitCode == 1)
    #expect(drifted.errors.contains("\(output)/shelf+Models1.swift: error: the file differs from what the document"))
    #expect(drifted.errors.contains("\(output)/shelf+Servers.swift: error: "))
    #expect(drifted.errors.contains("2 of 3 files differ"))
    #expect(try String(contentsOfFile: output + "/shelf+Models1.swift", encoding: .utf8) == "// edited\n")
}

@Test("Files of an earlier run with more chunks are removed, other files stay")
func staleFilesAreRemoved() throws {
    let folder = try TemporaryFolder()
    let document = try folder.write(smallDocument, to: "shelf.yaml")
    let output = folder.path + "/out"
    _ = try CommandRunner.run(document, "--output", output, "--files", "3")
    for name in ["shelf+Models9.swift", "shelf+Mine.swift", "notes.txt"] {
        try folder.write("mine\n", to: "out/" + name)
    }
    let drifted = try CommandRunner.run(document, "--output", output, "--files", "2", "--check")
    #expect(drifted.exitCode == 1)
    #expect(drifted.errors.contains("out/shelf+Models3.swift: error: "))
    let outcome = try CommandRunner.run(document, "--output", output, "--files", "2")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(
        try FileManager.default.contentsOfDirectory(atPath: output).sorted() == [
            "notes.txt", "shelf+Mine.swift", "shelf+Models1.swift", "shelf+Models2.swift", "shelf+Models9.swift",
            "shelf+Operations1.swift", "shelf+Operations2.swift", "shelf+Servers.swift",
        ])
}

@Test("Each tag has a file, and the file of one that is gone is removed")
func tagsHaveFiles() throws {
    let folder = try TemporaryFolder()
    let tagged = smallDocument.replacing(
        "operationId: listBooks", with: "operationId: listBooks\n      tags: [old books]")
    try folder.write(tagged, to: "shelf.yaml")
    let listed = try CommandRunner.run("shelf.yaml", "--list-outputs", folder: folder.path)
    #expect(listed.output == "shelf+Servers.swift\nshelf+OldBooks.swift\nshelf+Models1.swift\n")
    _ = try CommandRunner.run("shelf.yaml", "-o", "out", folder: folder.path)
    try folder.write(smallDocument, to: "shelf.yaml")
    _ = try CommandRunner.run("shelf.yaml", "-o", "out", folder: folder.path)
    #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out").sorted() == [
            "shelf+Models1.swift", "shelf+Operations.swift", "shelf+Servers.swift",
        ])
}

@Test("When a file cannot take its place, nothing is left behind")
func failedWritesLeaveNothing() throws {
    let folder = try TemporaryFolder()
    let document = try folder.write(smallDocument, to: "shelf.yaml")
    try folder.write("", to: "out/shelf+Models1.swift/x")
    let blocked = try CommandRunner.run(document, "--output", folder.path + "/out")
    #expect(blocked.exitCode == 1)
    #expect(blocked.errors.contains("out/shelf+Models1.swift' "), "\(blocked.errors)")
    #expect(try folder.names() == ["out", "out/shelf+Models1.swift", "out/shelf+Models1.swift/x", "shelf.yaml"])
    let file = try CommandRunner.run(document, "--output", document)
    #expect(file.exitCode == 1)
    #expect(file.errors == "error: '\(document)' is a file; --output must name a folder\n")
    let below = try CommandRunner.run(document, "--output", document + "/a/b")
    #expect(below.exitCode == 1)
    #expect(below.errors.contains("cannot be created"))
}

@Test("References that point to nothing are warnings, and stop a strict run", arguments: [true, false])
func danglingReferences(_ isStrict: Bool) throws {
    let folder = try TemporaryFolder()
    let text = smallDocument.replacing("schemas/Book'", with: "schemas/Bok'")
    try folder.write(text, to: "shelf.yaml")
    let arguments = ["shelf.yaml", "-o", "out"] + (isStrict ? ["--strict"] : [])
    let executable = CommandRunner.buildFolder.appending(path: "net-openapi-generate")
    let outcome = try CommandRunner.run(executable: executable, arguments, folder: folder.path)
    #expect(outcome.exitCode == (isStrict ? 1 : 0), "\(outcome.errors)")
    #expect(outcome.errors.contains("shelf.yaml:13:"), "\(outcome.errors)")
    #expect(outcome.errors.contains("warning: "))
    #expect(outcome.errors.contains("did you mean '#/components/schemas/Book'?"))
    #expect(try folder.names().contains("out") == !isStrict)
}

@Test("A report says what was found and made")
func reportIsWritten() throws {
    let folder = try TemporaryFolder()
    try folder.write(smallDocument, to: "shelf.yaml")
    let outcome = try CommandRunner.run("shelf.yaml", "-o", "out", "--report", "report.json", folder: folder.path)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let report = try String(contentsOfFile: folder.path + "/report.json", encoding: .utf8)
    #expect(
        report.contains(#""operations": {"found": 1, "skipped": 0}, "schemas": {"found": 1, "skipped": 0, "nodes": "#))
}

@Test("All files go to standard output for a folder named -")
func standardOutput() throws {
    let folder = try TemporaryFolder()
    try folder.write(smallDocument, to: "shelf.yaml")
    let outcome = try CommandRunner.run("shelf.yaml", "-o", "-", folder: folder.path)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("struct ListBooksRequest: APIRequest"))
    #expect(outcome.output.contains("struct Book:"))
    #expect(try folder.names() == ["shelf.yaml"])
}

@Test("Options can stand in a file beside the document, and the command line counts more")
func configurationFile() throws {
    let folder = try TemporaryFolder()
    try folder.write(smallDocument, to: "in/shelf.yaml")
    try folder.write(
        "document: shelf.yaml\noutput: out\naccess: package\ntype-prefix: My\nstrict: true\n", to: "in/c.yaml")
    let outcome = try CommandRunner.run("--config", "in/c.yaml", "--type-prefix", "Our", folder: folder.path)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let models = try String(contentsOfFile: folder.path + "/in/out/shelf+Models1.swift", encoding: .utf8)
    #expect(models.contains("package struct OurBook"))
}

@Test(
    "An invalid configuration gives an error with its position",
    arguments: [
        ("nonsense: 1", "c.yaml:1:1: error: there is no option 'nonsense'"),
        ("strict: maybe", "'strict' is true or false"), ("output: [a, b]", "'output' has one value, not a list"),
        ("- a", "an object of options"), ("access: {a: b}", "'access' should be a string"),
    ])
func wrongConfigurations(_ text: String, _ says: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text + "\n", to: "c.yaml")
    let outcome = try CommandRunner.run("a.yaml", "--config", "c.yaml", folder: folder.path)
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
}

@Test("The build plugin reads the number of files from a configuration")
func pluginReadsTheNumberOfFiles() {
    #expect(OutputNames.chunkCount(inConfiguration: "access: public\nfiles: 3\n") == 3)
    #expect(OutputNames.chunkCount(inConfiguration: "{\n  \"files\": 12,\n  \"strict\": true\n}") == 12)
    #expect(OutputNames.chunkCount(inConfiguration: "access: public\n") == nil)
    #expect(OutputNames.configurations(forDocument: "a.openapi.yaml").contains("a.openapi-generator.json"))
    #expect(OutputNames.outputs(forDocument: "a.yaml").count == 17)
}

@Test("A comparison of two versions tells what breaks by its exit code")
func differencesOfTwoVersions() throws {
    let folder = try TemporaryFolder()
    try folder.write(smallDocument, to: "a.yaml")
    try folder.write(smallDocument.replacing("{id: {type: string}}", with: "{id: {type: integer}}"), to: "b.yaml")
    try folder.write(
        smallDocument.replacing("{id: {type: string}}", with: "{id: {type: string}, n: {type: string}}"), to: "c.yaml")
    let same = try CommandRunner.run("diff", "a.yaml", "a.yaml", folder: folder.path)
    #expect(same.exitCode == 0)
    #expect(same.output == "0 differences, 0 of them breaking\n")
    let broken = try CommandRunner.run("diff", "a.yaml", "b.yaml", "--report", "r.json", folder: folder.path)
    #expect(broken.exitCode == 2)
    #expect(broken.output.contains("breaking: Book: 'id' was string and is int"), "\(broken.output)")
    #expect(try String(contentsOfFile: folder.path + "/r.json", encoding: .utf8).contains("\"breaking\": true"))
    let more = try CommandRunner.run("diff", "a.yaml", "c.yaml", folder: folder.path)
    #expect(more.exitCode == 0)
    #expect(more.output.contains("compatible: Book: 'n' is new"))
    #expect(try CommandRunner.run("diff", "a.yaml", folder: folder.path).exitCode == 64)
    #expect(try CommandRunner.run("diff", "a.yaml", "none.yaml", folder: folder.path).exitCode == 1)
}

@Test("Names on the command line choose operations")
func optionsFilter() throws {
    let folder = try TemporaryFolder()
    try folder.write(smallDocument, to: "shelf.yaml")
    let kept = try CommandRunner.run("shelf.yaml", "-o", "out", "--operation", "list*", folder: folder.path)
    #expect(kept.output.hasPrefix("shelf.yaml: 1 operation, 1 model"))
    let none = try CommandRunner.run("shelf.yaml", "-o", "out", "--exclude-path", "/books", folder: folder.path)
    #expect(none.output.hasPrefix("shelf.yaml: 0 operations, 0 models"))
}
#endif
