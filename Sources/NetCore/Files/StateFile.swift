#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The JSON file that stores a list of a client, such as its cookies, with a format and a version.
package protocol StateFile: Codable, Sendable {
    /// The value of the member `format`.
    static var format: String { get }
    /// The name of the contents in messages: `cookies`.
    static var contents: String { get }

    var format: String { get }
    var version: Int { get }
}

/// The maximum size of a file in bytes; a larger one isn't read.
private let maximumFileBytes = 64 << 20

extension StateFile {
    /// Decodes a file. Throws `.decoding` if it's damaged or has another format or version; the error doesn't reveal
    /// its contents.
    package static func decode(_ bytes: Bytes) throws(NetError) -> Self {
        guard let file = try? JSONCoding.standard.decode(Self.self, from: bytes) else {
            throw damaged("it isn't JSON in the expected form")
        }
        guard file.format == format, file.version == 1 else { throw damaged("it has another format or version") }
        return file
    }

    private static func damaged(_ reason: String) -> NetError {
        NetError(.decoding, phase: .preparing, message: "this isn't a file of \(contents): \(reason)")
    }

    package func encoded() throws(NetError) -> Bytes {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else {
            // The description of the error may contain a value.
            throw NetError(.encoding, phase: .preparing, message: "the \(Self.contents) cannot be written as JSON")
        }
        return Bytes(data)
    }

    /// Reads a file on a thread for file work; nil if there is none. Cancelling the task doesn't interrupt it.
    package static func load(from path: String) async throws(NetError) -> Self? {
        try await FileThreads.shared.run { () throws(NetError) -> Self? in try read(path) }
    }

    /// Writes a file that only its owner can read; replaces an older one atomically, but not another kind of file.
    package func save(to path: String) async throws(NetError) {
        try await FileThreads.shared.run { () throws(NetError) in
            _ = try Self.read(path)
            try PrivateFile.replace(path, with: try encoded())
        }
    }

    private static func read(_ path: String) throws(NetError) -> Self? {
        guard let bytes = try PrivateFile.contents(of: path, upTo: maximumFileBytes) else { return nil }
        do {
            return try decode(bytes)
        } catch {
            throw NetError(
                error.code, phase: error.phase,
                message: "\"\(path)\": \(error.message); name another path, or remove the file")
        }
    }
}
