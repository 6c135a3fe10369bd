#if Tools
internal import NetCore
internal import NetStore

/// Reads from a store what the live page shows.
struct LiveFeed: Sendable {
    /// A part has what was captured of the finished entries with so many numbers: about as many as a screen shows.
    static let partSize: Int64 = 64
    /// So many entries are read at once.
    private static let page = 200
    /// The most entries under way that are shown.
    static let mostRunning = 200

    let reader: ActivityReader
    let filter: ActivityFilter
    /// The filter as it was typed; nil for all entries.
    let words: String?
    /// The name of the file.
    let title: String
    /// The most finished entries that a list begins with.
    let limit: Int

    /// What is under way, and the newest finished entries: `{"last":number,"list":…}`.
    func list() async throws -> [UInt8] {
        // What is committed between the two looks is told again as news.
        let last = try await newest()
        let running = try await reader.itemsUnderWay(matching: filter, limit: Self.mostRunning)
        let finished = try await finished(limit: limit)
        var list = emptyList()
        list.runs = try await runs()
        for item in running { add(try await entry(item), to: &list) }
        for entry in finished { add(entry, to: &list) }
        if finished.count == limit {
            list.omitted = max(0, try await reader.count(matching: filter) - finished.count)
        }
        return Self.message(last: last, list)
    }

    /// What the doctor finds in the newest entries: a list without entries.
    func findings() async throws -> [UInt8] {
        var list = emptyList()
        let (doctor, runs) = try await DoctorReading(reader: reader, filter: filter, limit: limit).read()
        list.findings = doctor.findings(runs: runs)
        return list.json()
    }

    /// What was captured of the entries of a part, by their numbers, as a report has it.
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

    /// The number of the newest entry; 0 without any.
    func newest() async throws -> Int64 { try await reader.items(limit: 1).first?.id ?? 0 }

    func runs() async throws -> [StoredRun] { try await reader.runs(limit: 50) }

    /// Finished entries, newest first.
    ///
    /// - Parameters:
    ///   - limit: The most entries.
    ///   - last: Only those after the one with this number.
    ///   - newest: The last of them: what is committed meanwhile would take the places of others. Nil for whichever is
    ///     the newest now.
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

    /// What the page shows of an item that is under way.
    func entry(_ item: StoredItem) async throws -> ReportEntry {
        var entry = ReportEntry(item)
        // One that has ended meanwhile keeps what the list has of it.
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

    /// A list, and the number of the newest entry that it takes into account.
    static func message(last: Int64, _ list: ReportList) -> [UInt8] {
        Array("{\"last\":\(last),\"list\":".utf8) + list.json() + Array("}".utf8)
    }
}
#endif
