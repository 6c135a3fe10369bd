#if Tools
internal import NetCore
internal import NetRecord
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The kind of file that a report is made from.
enum ReportInput {
    /// A database that an `ActivityStore` wrote.
    case store
    /// Recorded exchanges: HAR, or a cassette.
    case recording
    /// The report of a contract.
    case contract

    /// Detects the kind from the file's beginning and name. A file that isn't JSON counts as a store, whose reader
    /// reports errors.
    init(of path: String) throws {
        self = .store
        if path.lowercased().hasSuffix(".har.gz") {
            self = .recording
            return
        }
        // Mapped instead of read: a store may be large.
        guard let file = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else { return }
        let space: Set<UInt8> = [0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf]
        guard file.prefix(4096).first(where: { !space.contains($0) }) == UInt8(ascii: "{") else { return }
        self = .recording
        if path.lowercased().hasSuffix(".har") { return }
        let document = try RecordFile(path).read(advice: "name a store, a HAR file, a cassette or a contract's report")
        if document.node["expectations"] != nil, document.node["violations"] != nil { self = .contract }
    }
}

extension ReportBuilder {
    /// Adds the entries that match the filter, newest first; the array is oldest first.
    mutating func add(_ entries: [ReportEntry], matching filter: ActivityFilter, limit: Int) {
        let found = entries.reversed().filter { filter.matches($0.item, content: $0.content, now: list.now) }
        for entry in found.prefix(limit) { add(entry) }
        list.omitted = max(0, found.count - limit)
    }
}

extension ReportEntry {
    /// The headers and bodies for filter terms.
    var content: FilterContent {
        FilterContent(
            headers: { [exchanges] side in
                let fields = exchanges.flatMap {
                    side == .request ? $0.requestHeaders : $0.responseHeaders + $0.trailers
                }
                return fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            },
            bodies: { [exchanges, messages] side in
                let bodies = exchanges.compactMap { (side == .request ? $0.request : $0.response)?.bytes }
                let said = messages.filter { $0.isSent == (side == .request) }
                return bodies + said.compactMap { $0.text.map { Bytes($0.utf8) } ?? $0.bytes }
            })
    }
}
#endif
