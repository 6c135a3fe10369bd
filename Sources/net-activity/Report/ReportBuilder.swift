#if Tools
internal import NetCompression
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Builds a report of entries: a single HTML file that loads nothing else.
struct ReportBuilder {
    /// The list of the entries.
    var list: ReportList
    /// The findings of a cassette's replay.
    var replay: [Finding] = []

    private var content = ReportContent()
    private var doctor = Doctor()

    /// - Parameter maximumBodies: The maximum total size of the bodies, in bytes.
    init(title: String, now: Date, maximumBodies: Int64 = 32 << 20) {
        list = ReportList(title: title, now: now)
        content.maximumBodies = maximumBodies
    }

    var count: Int { list.count }

    /// Adds an entry. Entries must be added newest first.
    mutating func add(_ entry: ReportEntry) {
        let part = content.add(entry, number: Int64(list.count))
        if part == nil, entry.item.kind == .call { list.uncaptured += 1 }
        if let url = entry.item.url { content.note(url) }
        list.add(entry, part: part)
        if !entry.isHidden { doctor.see(entry) }
    }

    /// Returns the HTML file.
    mutating func html() -> [UInt8] {
        content.finish()
        if list.findings.isEmpty { list.findings = (replay + doctor.findings(runs: list.runs)).worstFirst }
        (list.hidden, list.cut, list.omittedBodies) = (content.hidden, content.cut, content.omitted)
        var html = Array(ReportPage.beforeData.utf8)
        Self.append(list.json(), id: "list", to: &html)
        for (number, part) in content.parts.enumerated() { Self.append(part, id: "part-\(number)", to: &html) }
        html.append(contentsOf: (ReportPage.afterData + ReportPage.end).utf8)
        return html
    }

    /// Appends the data as an element with a type that browsers don't execute; the encoding's characters can't end the
    /// element.
    private static func append(_ json: [UInt8], id: String, to html: inout [UInt8]) {
        var compressed = Bytes()
        if var deflater = Deflater(level: 6) { compressed = deflater.encode(Bytes(json), isLast: true) }
        html.append(
            contentsOf: "<script type=\"application/octet-stream\" id=\"\(id)\" data-size=\"\(compressed.count)\">".utf8
        )
        html.append(contentsOf: PrintableCoding.encode(compressed))
        html.append(contentsOf: "</script>\n".utf8)
    }
}
#endif
