package import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An entry of a HAR file.
package struct HAREntry: Sendable {
    /// The entry's JSON, unchanged.
    package let node: JSONNode
    /// The request and its response, with their secrets.
    package let exchange: CapturedExchange
    package let times: HARTimes
    /// The messages of the entry's WebSocket, including control frames; empty if it didn't open one.
    package let messages: [HARMessage]
    /// True if `startedDateTime` is a date.
    package let hasDate: Bool

    /// Returns the error for an invalid member.
    package func problem(_ name: String, _ text: String, in file: String) -> RecordFileError {
        DocumentReader(file: file, advice: "correct it there, or export the HAR file again")
            .problem(node[name] ?? node, text)
    }
}

/// A HAR file whose entries are read one by one: apart from the text, only one entry is in memory at a time.
package struct HARFile {
    /// The name and version of the program that wrote the file.
    package let creator, version: String?
    /// The number of entries.
    package let count: Int
    private let bytes: Bytes
    private let reader: HARReader
    private var elements: JSONElements

    /// Checks that the text is JSON with a list of entries.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - file: The file name in errors.
    ///   - folder: The folder of the files that entries refer to. Default nil: references are ignored.
    package init(_ bytes: Bytes, file: String, folder: String? = nil) throws(RecordFileError) {
        var reader = HARReader(file: file)
        reader.folder = folder
        self.reader = reader
        self.bytes = bytes
        let (format, creator, found): (JSONNode?, JSONNode?, JSONElements?)
        do throws(UnreadableJSON) {
            let document = try JSONDocument(bytes, replacesLoneSurrogates: true)
            format = try document.node(at: ["log", "version"])
            creator = try document.node(at: ["log", "creator"])
            found = try document.elements(at: ["log", "entries"])
        } catch {
            throw Self.problem(error, file, bytes)
        }
        guard let found else {
            throw RecordFileError(file: file, problem: "the file has no list log.entries", advice: Self.advice)
        }
        (self.creator, version) = (creator?["name"]?.string, creator?["version"]?.string)
        (elements, count) = (found, found.count)
        try reader.check(version: format)
    }

    private static let advice = "export the HAR file again"

    private static func problem(_ error: UnreadableJSON, _ file: String, _ bytes: Bytes) -> RecordFileError {
        RecordFileError(file: file, error, in: Array(bytes), advice: advice)
    }

    /// Returns the next entry; nil after the last one. For an unreadable entry, the error contains its line and number.
    package mutating func next() throws(RecordFileError) -> HAREntry? {
        let element: JSONNode?
        do throws(UnreadableJSON) {
            element = try elements.next()
        } catch {
            throw Self.problem(error, reader.reader.file, bytes)
        }
        guard let node = element else { return nil }
        return HAREntry(
            node: node, exchange: try reader.exchange(node), times: HARTimes(node),
            messages: try reader.messageList(node).map { list throws(RecordFileError) in try reader.messages(list) }
                ?? [],
            hasDate: node["startedDateTime"]?.string.flatMap { RFC3339.date(from: $0) } != nil)
    }
}
