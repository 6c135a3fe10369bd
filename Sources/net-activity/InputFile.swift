#if Tools
internal import Foundation
internal import NetCore
internal import NetRecord
internal import NetStore

/// The kind of a file named on the command line.
enum InputFile {
    /// A database that an `ActivityStore` wrote.
    case store
    /// HAR, compressed or not.
    case har
    /// A cassette of this package.
    case cassette
    /// The report of a contract.
    case contract

    /// Detects the kind from the beginning of the file, and from its name.
    ///
    /// A file that can't be read counts as a store, whose reader reports the error. Throws for a file of another kind,
    /// which the error names.
    init(of path: String) throws {
        let name = path.lowercased()
        let isNamedHAR = [".har", ".har.gz", ".zhar"].contains { name.hasSuffix($0) }
        guard let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 4096) else {
            self = .store
            return
        }
        let bytes = Array(start)
        let text = bytes.drop { [0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf].contains($0) }
        if bytes.isEmpty || bytes.starts(with: "SQLite format 3\0".utf8) {
            self = .store
        } else if isNamedHAR || bytes.starts(with: [0x1f, 0x8b]) {
            self = .har
        } else if text.first == UInt8(ascii: "{") {
            self = try Self.json(path)
        } else if let kind = Self.foreign(bytes, text) {
            throw StoreError(.notADatabase, message: "this is \(kind)", path: path)
        } else if [".sqlite", ".sqlite3", ".db"].contains(where: name.hasSuffix) {
            self = .store
        } else {
            let kinds = "a store nor a HAR file, a cassette or the report of a contract"
            throw StoreError(.notADatabase, message: "this is neither \(kinds)", path: path)
        }
    }

    private static func json(_ path: String) throws -> InputFile {
        let bytes = try HARContent.read(path, maximumBytes: 1 << 30)
        let names: Set<String>
        do throws(UnreadableJSON) {
            names = try members(JSONDocument(bytes, replacesLoneSurrogates: true))
        } catch {
            throw RecordFileError(
                file: path, error, in: Array(bytes),
                advice: "name a store, a HAR file, a cassette or a contract's report")
        }
        if names.contains("log") { return .har }
        if names.isSuperset(of: ["expectations", "violations"]) { return .contract }
        if names.contains("interactions") { throw foreignCassette(path, "vcrpy") }
        if names.contains("http_interactions") { throw foreignCassette(path, "Betamax or Ruby VCR") }
        return .cassette
    }

    /// Returns the names that distinguish the kinds, of those that the document has.
    private static func members(_ document: JSONDocument) throws(UnreadableJSON) -> Set<String> {
        var names: Set<String> = []
        for name in ["expectations", "violations", "interactions", "http_interactions"] {
            if try document.elements(at: [name]) != nil { names.insert(name) }
        }
        let version = try document.node(at: ["log", "version"])
        let entries = try document.elements(at: ["log", "entries"])
        if version != nil || entries != nil {
            names.insert("log")
        }
        return names
    }

    /// The error of a command that doesn't read the report of a contract.
    static func contractFailure(_ path: String) -> Failure {
        Failure(
            code: .usage, description: "\(TerminalText.clean(path)) is the report of a contract; only `report` reads it"
        )
    }

    private static func foreignCassette(_ path: String, _ tool: String) -> StoreError {
        let message =
            "this is a cassette of \(tool); convert it with `net-activity import cassette FILE -o cassette.json`"
        return StoreError(.notADatabase, message: message, path: path)
    }

    /// Returns the kind of a file that isn't read, and what to do; nil if it isn't known.
    private static func foreign(_ bytes: [UInt8], _ text: ArraySlice<UInt8>) -> String? {
        if bytes.starts(with: [0x50, 0x4b, 3, 4]) { return "a zip archive; unpack it, and name the .har file in it" }
        let captures: [[UInt8]] = [[0xd4, 0xc3, 0xb2, 0xa1], [0xa1, 0xb2, 0xc3, 0xd4], [0x0a, 0x0d, 0x0d, 0x0a]]
        if captures.contains(where: { bytes.starts(with: $0) }) { return "a packet capture, which isn't read" }
        if text.first == UInt8(ascii: "<") { return "XML or HTML, which isn't read" }
        if text.first == UInt8(ascii: "[") { return "a list in JSON, which isn't read" }
        let line = String(decoding: text.prefix(400), as: UTF8.self)
        if line.hasPrefix("interactions:") || line.hasPrefix("http_interactions:") || line.contains("\ninteractions:")
            || line.contains("\nhttp_interactions:")
        {
            return "a cassette in YAML; convert it with `net-activity import cassette FILE -o cassette.json`"
        }
        if line.hasPrefix("---") || line.hasPrefix("%YAML") { return "YAML, which isn't read" }
        // mitmproxy writes each flow as a netstring: its length, a colon, and its content.
        if let colon = line.firstIndex(of: ":"), line[..<colon].count < 12, !line[..<colon].isEmpty,
            line[..<colon].allSatisfy(\.isNumber)
        {
            return "a flow file of mitmproxy; write HAR with `mitmdump -nr FILE --set hardump=flows.har`"
        }
        return nil
    }
}
#endif
