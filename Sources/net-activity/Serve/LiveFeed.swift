#if Tools
internal import NetCore
internal import NetStore

/// Reads the live page's data from a store.
struct LiveFeed: Sendable {
    /// The number of entries whose content is in one part: about as many as a screen shows.
    static let partSize: Int64 = 64
    /// The number of entries read at a time.
    private static let page = 200
    /// The maximum number of entries under way that are shown.
    static let mostRunning = 200

    let reader: ActivityReader
    let filter: ActivityFilter
    /// The filter as typed; nil for all entries.
    let words: String?
    /// The name of the file.
    let title: String
    /// The maximum number of finished entries that a list begins with.
    let limit: Int

    /// Returns the entries under way and the newest finished entries: `{"last":number,"list":…}`.
    func list() async throws -> [UInt8] {
        // Read first: entries committed after this are also sent as news.
        let last = try await newest()
        let running = try await reader.itemsUnderWay(matching: filter, limit: Self.mostRunning)
        let finished = try await finished(limit: limit)
        var list = emptyList()
        list.runs = try await runs()
        for item in running { add(try await entry(item), to: &list) }
        for entry in finished where !running.isAgainUnderWay(entry.item) { add(entry, to: &list) }
        if finished.count == limit {
            list.omitted = max(0, try await reader.count(matching: filter) - finished.count)
        }
        return Self.message(last: last, list)
    }

    /// Returns the doctor's findings in the newest entries, as a list without entries.
    func findings() async throws -> [UInt8] {
        var list = emptyList()
        let (doctor, runs) = try await DoctorReading(reader: reader, filter: filter, limit: limit).read()
        list.findings = doctor.findings(runs: runs)
        return list.json()
    }

    /// Returns the captured content of a part's entries, by their numbers, in the form of a report.
    func part(_ number: Int64) async throws -> [UInt8] {
        var content = ReportContent()
        content.partSize = .max
        guard number < .max / Self.partSize else { return Array("{}\n".utf8) }
        let (first, end) = (number * Self.partSize, (number + 1) * Self.partSize)
        for item in try await reader.items(matching: filter, limit: Int(Self.partSize), before: end)
        where item.id >= first && item.kind != .log {
            guard let detail = try await reader.item(id: item.id) else { continue }
            var entry = ReportEntry(detail)
            if item.kind == .socket { entry.messages = try await reader.allMessages(of: item.uid) }
            _ = content.add(entry, number: item.id)
        }
        content.finish()
        return content.parts.first ?? Array("{}\n".utf8)
    }

    /// Returns the number of the newest entry; 0 if there are no entries.
    func newest() async throws -> Int64 { try await reader.items(limit: 1).first?.id ?? 0 }

    func runs() async throws -> [StoredRun] { try await reader.runs(limit: 50) }

    /// Returns finished entries, newest first.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of entries.
    ///   - last: Returns only entries after this number.
    ///   - newest: Returns no entries after this number, so that entries committed in the meantime don't displace
    ///     others. Default nil: begins with the newest.
    func finished(limit: Int, after last: Int64 = 0, until newest: Int64? = nil) async throws -> [ReportEntry] {
        var (entries, before) = ([ReportEntry](), newest.map { $0 + 1 })
        while entries.count < limit {
            let wanted = min(Self.page, limit - entries.count)
            let page = try await reader.outlines(matching: filter, limit: wanted, before: before)
            entries += page.lazy.filter { $0.item.id > last }.map { ReportEntry($0) }
            guard page.count == wanted, let end = page.last?.item.id, end > last else { break }
            before = end
        }
        return entries
    }

    /// The number of changes that a page gets again with its first update.
    static let repeatedChanges: Int64 = 100

    /// Returns the stored entries that have changed since a change, newest first, and the number of the newest change.
    ///
    /// - Parameters:
    ///   - change: The number of a change; nil for the newest changes.
    ///   - last: Returns only entries up to this number.
    func changed(after change: Int64?, upTo last: Int64) async throws -> (entries: [ReportEntry], newest: Int64) {
        var start = change
        if start == nil {
            let newest = try await reader.changes(after: nil, upTo: 0, matching: filter).newest
            start = max(0, newest - Self.repeatedChanges)
        }
        let (items, newest) = try await reader.changes(after: start, upTo: last, matching: filter)
        return (items.sorted { $0.id > $1.id }.map { ReportEntry($0) }, newest)
    }

    /// Returns the data that the page shows of an item under way.
    func entry(_ item: StoredItem) async throws -> ReportEntry {
        var entry = ReportEntry(item)
        // If the entry ended in the meantime, the data in the list remain.
        if item.kind == .call { entry.attempts = try await reader.item(uid: item.uid, kind: .call)?.attempts ?? [] }
        return entry
    }

    func add(_ entry: ReportEntry, to list: inout ReportList) {
        let item = entry.item
        let hasContent = item.id > 0 && (item.kind == .call || item.kind == .socket)
        list.add(
            entry, part: hasContent ? item.id / Self.partSize : nil, number: item.id > 0 ? item.id : nil)
    }

    func emptyList() -> ReportList {
        var list = ReportList(title: title, now: NetClock.system.date())
        list.filter = words
        return list
    }

    /// Returns a list, with the number of the newest entry that it covers.
    static func message(last: Int64, _ list: ReportList) -> [UInt8] {
        Array("{\"last\":\(last),\"list\":".utf8) + list.json() + Array("}".utf8)
    }
}
#endif
