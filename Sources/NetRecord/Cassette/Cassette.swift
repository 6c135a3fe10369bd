package import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Recorded exchanges and their file format: our own JSON form, or HAR 1.2 if the file name ends in `.har`.
package struct Cassette: Sendable, Hashable {
    /// The version of the format that is written, and the newest that can be read.
    package static let version = 1

    /// The exchanges in the order in which their requests were sent.
    package var exchanges: [CapturedExchange]
    /// The line of each exchange in the file; empty for a cassette that wasn't read from a file.
    package var lines: [Int]
    /// The remarks about a HAR file: skipped entries and guessed values.
    package var remarks = HARRemarks()

    package init(_ exchanges: [CapturedExchange] = [], lines: [Int] = []) {
        self.exchanges = exchanges
        self.lines = lines
    }

    /// Returns true if a file exists at the path.
    package static func exists(at path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    /// Reads a cassette from a file.
    package static func read(from path: String) throws(RecordFileError) -> Cassette {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw RecordFileError(
                file: path, problem: exists(at: path) ? "the file cannot be read" : "there is no such file",
                advice: "record it first, or correct the path")
        }
        return try read(Array(data), from: path)
    }

    /// Reads a cassette from a file's bytes. Its large binary bodies are looked up in the folder beside `path`.
    package static func read(_ bytes: [UInt8], from path: String) throws(RecordFileError) -> Cassette {
        let document: JSONNode
        do {
            document = try JSONDocument(Bytes(bytes), replacesLoneSurrogates: true).node()
        } catch {
            throw RecordFileError(
                file: path, error, in: bytes,
                advice: "fix it there, restore it from version control, or delete the file and record again")
        }
        if isHAR(path) {
            var reader = HARReader(file: path)
            return try reader.cassette(document)
        }
        return try CassetteReader(file: path).cassette(document)
    }

    /// Writes the file atomically, after its large binary bodies in the folder beside it.
    ///
    /// An existing file that can't be read as a cassette is never overwritten.
    package func write(to path: String) throws(RecordFileError) {
        if Self.exists(at: path) { try Self.checkReplaceable(path) }
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            if Self.isHAR(path) {
                return try Data(har.utf8).write(to: url, options: .atomic)
            }
            var writer = CassetteWriter(bodies: BodyFiles(cassette: path))
            let text = RecordJSON.write(writer.document(self))
            // The bodies are written first: a cassette never names a file that doesn't exist yet.
            try writer.bodies.write()
            try Data(text.utf8).write(to: url, options: .atomic)
            writer.bodies.removeOthers()
        } catch {
            throw RecordFileError(
                file: path, problem: "the file cannot be written (\(error))",
                advice: "check the folder and its permissions")
        }
    }

    /// The exchanges as HAR 1.2.
    package var har: String { RecordJSON.write(HARWriter().document(self)) }

    private static func checkReplaceable(_ path: String) throws(RecordFileError) {
        do {
            _ = try read(from: path)
        } catch {
            var error = error
            error.problem += ", so it is not overwritten"
            throw error
        }
    }

    private static func isHAR(_ path: String) -> Bool { path.lowercased().hasSuffix(".har") }
}
