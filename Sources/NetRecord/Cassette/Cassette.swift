package import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Recorded exchanges, and the file they live in: our own JSON form, or HAR 1.2 where the name ends in `.har`.
package struct Cassette: Sendable, Hashable {
    /// The version of the form that is written, and the newest that is read.
    package static let version = 1

    /// The exchanges in the order in which their requests were sent.
    package var exchanges: [CapturedExchange]
    /// The line of each exchange in the file that was read; empty for a cassette that was not.
    package var lines: [Int]

    package init(_ exchanges: [CapturedExchange] = [], lines: [Int] = []) {
        self.exchanges = exchanges
        self.lines = lines
    }

    /// Whether there is a file of that name.
    package static func exists(at path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    /// Reads a file.
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

    /// Reads the bytes of a file of that name; its large binary bodies are looked for beside it.
    package static func read(_ bytes: [UInt8], from path: String) throws(RecordFileError) -> Cassette {
        let document: JSONNode
        do {
            document = try JSONDocument(Bytes(bytes), replacesLoneSurrogates: true).node()
        } catch {
            throw RecordFileError(
                file: path, error, in: bytes,
                advice: "mend it there, take it from version control, or delete the file and record again")
        }
        if isHAR(path) { return try HARReader(file: path).cassette(document) }
        return try CassetteReader(file: path).cassette(document)
    }

    /// Writes a file, whole or not at all, with its large binary bodies beside it.
    ///
    /// A file that is there but cannot be read as a cassette is never overwritten.
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
            // The bodies come first: a cassette never names a file that is not there yet.
            try writer.bodies.write()
            try Data(text.utf8).write(to: url, options: .atomic)
            writer.bodies.removeOthers()
        } catch {
            throw RecordFileError(
                file: path, problem: "the file cannot be written (\(error))", advice: "check the folder and its rights")
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
