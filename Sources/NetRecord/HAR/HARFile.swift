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

    /// Returns the error for an invalid member.
    package func problem(_ name: String, _ text: String, in file: String) -> RecordFileError {
        DocumentReader(file: file, advice: "correct it there, or export the HAR file again")
            .problem(node[name] ?? node, text)
    }
}

/// A HAR file whose entries are read one by one: apart from the text, only one entry is in memory at a time.
package struct HARFile {
    /// The program that wrote the file.
    package let producer: HARProducer
    /// The member `log.pages`; nil if there is none.
    package let pages: JSONNode?
    /// The number of entries.
    package let count: Int
    private let bytes: Bytes
    private var reader: HARReader
    private var elements: JSONElements

    /// Checks that the text is JSON with a list of entries.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - file: The file name in errors.
    ///   - folder: The folder of the files that entries refer to. Default nil: references are ignored.
    ///   - isStrict: True to throw for an entry that can't be read. Default false: it is skipped, or a part of it, and
    ///     noted in ``remarks``.
    package init(_ bytes: Bytes, file: String, folder: String? = nil, isStrict: Bool = false) throws(RecordFileError) {
        var reader = HARReader(file: file, isStrict: isStrict)
        reader.folder = folder
        self.bytes = bytes
        let (format, creator, pages, found): (JSONNode?, JSONNode?, JSONNode?, JSONElements?)
        do throws(UnreadableJSON) {
            let document = try JSONDocument(bytes, replacesLoneSurrogates: true)
            format = try document.node(at: ["log", "version"])
            creator = try document.node(at: ["log", "creator"])
            pages = try document.node(at: ["log", "pages"])
            found = try document.elements(at: ["log", "entries"])
        } catch {
            throw Self.problem(error, file, bytes)
        }
        guard let found else {
            throw RecordFileError(file: file, problem: "the file has no list log.entries", advice: Self.advice)
        }
        producer = HARProducer(creator)
        reader.producer = producer
        reader.pages = HARReader.dates(ofPages: pages)
        self.pages = pages
        (elements, count) = (found, found.count)
        try reader.check(version: format)
        self.reader = reader
    }

    /// The entries and parts that were skipped so far, and the values that were guessed.
    package var remarks: HARRemarks { reader.remarks }

    /// Skips a part of an entry; throws if the file is read strictly.
    package mutating func skip(_ error: RecordFileError) throws(RecordFileError) { try reader.skip(error) }

    private static let advice = "export the HAR file again"

    private static func problem(_ error: UnreadableJSON, _ file: String, _ bytes: Bytes) -> RecordFileError {
        RecordFileError(file: file, error, in: Array(bytes), advice: advice)
    }

    /// Returns the next entry that can be read; nil after the last one. A strict file throws for one that can't, with its
    /// line and number.
    package mutating func next() throws(RecordFileError) -> HAREntry? {
        while true {
            let element: JSONNode?
            do throws(UnreadableJSON) {
                element = try elements.next()
            } catch {
                throw Self.problem(error, reader.reader.file, bytes)
            }
            guard let node = element else { return nil }
            guard let exchange = try reader.exchange(node) else { continue }
            // Their remarks were made when the exchange was read.
            var copy = reader
            let list = exchange.socket == nil ? nil : try copy.messageList(node)
            let messages = try list.map { list throws(RecordFileError) in try copy.messages(list) } ?? []
            return HAREntry(
                node: node, exchange: exchange, times: HARTimes(node, by: producer), messages: messages)
        }
    }
}
