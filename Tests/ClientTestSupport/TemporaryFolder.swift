import Foundation

/// A test's own folder, removed after the test.
struct TemporaryFolder {
    let url: URL

    static func with<Value>(_ body: (TemporaryFolder) async throws -> Value) async throws -> Value {
        let folder = TemporaryFolder(
            url: FileManager.default.temporaryDirectory.appending(path: "net-\(UUID().uuidString)"))
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder.url) }
        return try await body(folder)
    }

    func path(_ name: String) -> String { url.appending(path: name).path() }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: url.appending(path: name))
    }

    func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
    }

    /// The names of its contents.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path()).sorted() }
    }
}
