package import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A JSON file that people read, diff and edit: read with its places, written whole or not at all.
package struct RecordFile: Sendable {
    /// One document in two forms: as nodes that know their places, and as values that keep every digit.
    package struct Document: Sendable {
        package var node: JSONNode
        package var value: JSONValue
    }

    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Reads the document; `advice` says what to do about one that is not JSON.
    package func read(advice: String) throws(RecordFileError) -> Document {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw RecordFileError(
                file: path, problem: exists ? "the file cannot be read" : "there is no such file",
                advice: "correct the path, or write the file first")
        }
        return try Self.document(Array(data), file: path, advice: advice)
    }

    /// The document of a file's content; `file` is its name in errors.
    package static func document(
        _ bytes: [UInt8], file: String, advice: String
    ) throws(RecordFileError) -> Document {
        do {
            let document = try JSONDocument(Bytes(bytes))
            return Document(node: try document.node(), value: try document.value())
        } catch let error as UnreadableJSON {
            throw RecordFileError(file: file, error, in: bytes, advice: advice)
        } catch {
            throw RecordFileError(file: file, problem: "the file holds a number that cannot be read", advice: advice)
        }
    }

    /// Replaces the file, whole or not at all; makes the folder where it is missing.
    package func write(_ text: String) throws(RecordFileError) {
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: .atomic)
        } catch {
            throw RecordFileError(
                file: path, problem: "the file cannot be written (\(error))", advice: "check the folder and its rights")
        }
    }

    /// The value as JSON for people and diffs: sorted keys, one member a line.
    package static func text(_ value: JSONValue) -> String { RecordJSON.write(value) }
}
