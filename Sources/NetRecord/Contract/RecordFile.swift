package import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A JSON file that people read, diff and edit. Reading keeps the place of each value; writing is atomic.
package struct RecordFile: Sendable {
    /// A document in two forms: nodes that know their places, and values that keep every digit.
    package struct Document: Sendable {
        package var node: JSONNode
        package var value: JSONValue
    }

    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Reads the document. `advice` is the advice in the error for a file that isn't JSON.
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

    /// Parses a file's content; `file` is the file name in errors.
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

    /// Replaces the file atomically; creates the folder if it's missing.
    package func write(_ text: String) throws(RecordFileError) {
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: .atomic)
        } catch {
            throw RecordFileError(
                file: path, problem: "the file cannot be written (\(error))",
                advice: "check the folder and its permissions")
        }
    }

    /// Returns the value as JSON for people and diffs: sorted keys, one member per line.
    package static func text(_ value: JSONValue) -> String { RecordJSON.write(value) }
}
