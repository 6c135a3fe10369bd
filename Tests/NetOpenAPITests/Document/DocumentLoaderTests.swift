import Foundation
import Testing

@testable import NetOpenAPI

/// A folder that is removed when the test ends.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "swift-net-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and its folders, and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    @discardableResult
    func write(_ data: Data, to name: String) throws -> String {
        let url = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
        return url.path
    }

    func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    }
}

let minimalDocument = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\n"

private func pathError(_ path: String, loader: DocumentLoader = DocumentLoader()) -> Diagnostic? {
    do throws(Diagnostic) {
        _ = try loader.load(path: path)
        return nil
    } catch {
        return error
    }
}

@Test("The format is told by the content, not by the name")
func formatByContent() throws {
    let folder = try TemporaryFolder()
    let json = try folder.write(#"{"openapi": "3.0.0", "paths": {}}"#, to: "a.yaml")
    let yaml = try folder.write(minimalDocument, to: "b.json")
    #expect(try DocumentLoader().load(path: json).version == .openAPI30)
    #expect(try DocumentLoader().load(path: yaml).version == .openAPI31)
    #expect(try DocumentLoader().load(path: json).path == json)
}

@Test("YAML in flow style is read although it begins like JSON")
func flowStyle() throws {
    let text = "{openapi: 3.1.0, paths: {}} # flow"
    let document = try DocumentLoader().load(bytes: text.bytes, name: "a.yaml")
    #expect(document.version == .openAPI31)
    #expect(document.diagnostics.isEmpty)
    let json = try DocumentLoader().load(bytes: text.bytes, name: "a.json")
    try #require(json.diagnostics.map(\.severity) == [.warning])
    #expect(json.diagnostics[0].message.hasPrefix("the document is read as YAML, since it is not JSON"))
}

@Test("A document that is neither JSON nor YAML gives one error, for the format that its name indicates")
func oneErrorForBoth() {
    #expect(loadError("{\"a\": }]".bytes, name: "a.json")?.message == "a value is expected, found '}'")
    #expect(loadError("{\"a\": }]".bytes, name: "a.yaml")?.message.hasPrefix("the YAML is not valid") == true)
}

@Test("A document that cannot be read gives an error with the reason")
func unreadablePaths() throws {
    let folder = try TemporaryFolder()
    let missing = folder.path + "/none.yaml"
    #expect(pathError(missing)?.description == "error: there is no file '\(missing)'; check the path")
    #expect(pathError(folder.path)?.message == "'\(folder.path)' is a folder; name the OpenAPI document in it")
    #expect(pathError("/dev/null")?.message == "'/dev/null' is not a regular file; name an OpenAPI document")
    let empty = try folder.write("", to: "empty.yaml")
    #expect(pathError(empty)?.description == "\(empty):1:1: error: the file is empty (0 bytes)")
    let blank = try folder.write("\u{FEFF} \n", to: "blank.yaml")
    #expect(pathError(blank)?.description == "\(blank):1:1: error: the document is empty")
    let large = try folder.write(minimalDocument, to: "large.yaml")
    let small = DocumentLoader(maximumFileSize: 10)
    #expect(pathError(large, loader: small)?.message.contains("is larger than the limit of 10 bytes") == true)
    #expect(loadError(Array(repeating: 0x20, count: 64 * 1024 * 1024 + 1))?.message.contains("64 MiB") == true)
}

@Test("A named pipe is refused, not waited for")
func namedPipe() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(pathError(path)?.message.contains("not a regular file") == true)
}

@Test("A folder for references must be there and hold the document")
func referenceFolderIsChecked() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(minimalDocument, to: "api/a.yaml")
    try folder.write("", to: "other/x")
    #expect(try DocumentLoader(referenceFolder: folder.path).load(path: path).referenceFolder == folder.path)
    #expect(try DocumentLoader().load(path: path).referenceFolder == folder.path + "/api")
    let missing = DocumentLoader(referenceFolder: folder.path + "/none")
    #expect(pathError(path, loader: missing)?.message.contains("there is no folder") == true)
    let wrong = DocumentLoader(referenceFolder: folder.path + "/other")
    #expect(pathError(path, loader: wrong)?.message.contains("is not in the folder") == true)
}
