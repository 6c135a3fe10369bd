internal import NetCompression
internal import NetCore

/// One request to a collector, and the entries that are finished once it's settled.
struct OTLPBatch: Sendable {
    /// The body; nil if the page contains nothing to send.
    var body: Bytes?
    /// The number of spans or log records in the body.
    var count = 0
    /// The number of entries in the body.
    var entries = 0
    var skipped = 0
    var missed = 0
    /// The cursor before the batch, as it was found in the store.
    var start: OTLPCursor
    /// The cursor after the batch is settled.
    var end: OTLPCursor
    /// True if there are no entries after the batch.
    var isLast = false

    /// The parameters for making a batch.
    struct Plan: Sendable {
        let query: OTLPPage.Query
        let cursor: OTLPCursor
        let maximumBytes: Int
        let isCompressed: Bool
        let resource: [String: String]
    }

    /// Reads and encodes the next batch.
    static func next(_ plan: Plan, on connection: SQLiteConnection) throws(StoreError) -> OTLPBatch {
        try connection.snapshot { () throws(StoreError) in
            let start = try plan.cursor.current(on: connection)
            var query = plan.query
            if start.position != query.position { query = query.moved(to: start.position) }
            let page = try OTLPPage(query, on: connection)
            var batch = OTLPBatch(
                start: plan.cursor, end: OTLPCursor(position: page.end, deletions: start.deletions))
            (batch.skipped, batch.missed, batch.isLast) = (page.skipped.count, page.missed, page.isLast)
            var writer = OTLPBatchWriter(signal: query.signal, resource: plan.resource, maximumBytes: plan.maximumBytes)
            for (index, entry) in page.entries.enumerated() where try !writer.add(entry, on: connection) {
                try batch.end(before: page, at: index, from: query, on: connection)
                break
            }
            (batch.count, batch.entries) = (writer.count, writer.entries)
            batch.body = batch.count > 0 ? writer.body(isCompressed: plan.isCompressed) : nil
            return batch
        }
    }

    /// Ends the batch before an entry that would make it too large.
    private mutating func end(
        before page: OTLPPage, at index: Int, from query: OTLPPage.Query, on connection: SQLiteConnection
    ) throws(StoreError) {
        let last = page.entries[index - 1].item.id
        let sql = "SELECT count(*) FROM net_item WHERE id > ? AND id <= ?"
        let stored = try connection.integer(sql, [.integer(query.position), .integer(last)]) ?? 0
        missed = Int(last - query.position - stored)
        end.position = last
        skipped = page.skipped.count { $0 < last }
        isLast = false
    }
}

extension OTLPPage.Query {
    /// Returns the same query at another position.
    func moved(to position: Int64) -> OTLPPage.Query {
        OTLPPage.Query(
            signal: signal, condition: condition, position: position, limit: limit, entries: entries, spans: spans)
    }
}

/// Builds the body of a request: groups spans and records by run, and records also by their logger's label.
struct OTLPBatchWriter {
    private struct Group: Hashable {
        let run: Int64
        let scope: String
    }

    private let signal: OTLPExporter.Signal
    private let resource: [String: String]
    private let maximumBytes: Int
    private var groups: [Group: OTLPJSON] = [:]
    private var order: [Group] = []
    private var runs: [Int64: OTLPResource] = [:]
    private var size = 0
    private(set) var count = 0
    private(set) var entries = 0

    init(signal: OTLPExporter.Signal, resource: [String: String], maximumBytes: Int) {
        self.signal = signal
        self.resource = resource
        self.maximumBytes = maximumBytes
    }

    /// Adds an entry; returns false if the body would become too large. The first entry is always added.
    mutating func add(_ entry: OTLPEntry, on connection: SQLiteConnection) throws(StoreError) -> Bool {
        var json = OTLPJSON()
        var added = 1
        if signal == .traces {
            let spans = OTLPSpanBuilder(entry).spans
            added = spans.count
            for (index, span) in spans.enumerated() {
                if index > 0 { json.raw(",") }
                span.write(to: &json)
            }
        } else {
            OTLPLogRecord(entry).write(to: &json)
        }
        guard entries == 0 || size + json.bytes.count <= maximumBytes else { return false }
        let run = entry.item.run
        let group = Group(run: run, scope: signal == .traces ? "swift-net" : entry.item.name ?? "swift-log")
        if runs[run] == nil {
            let resource = OTLPResource(try OTLPResource.Run.find(run, on: connection), extra: resource)
            runs[run] = resource
        }
        if groups[group] == nil { order.append(group) }
        groups[group, default: OTLPJSON()].join(json)
        size += json.bytes.count
        count += added
        entries += 1
        return true
    }

    /// Returns the body to send.
    func body(isCompressed: Bool) -> Bytes {
        var json = OTLPJSON()
        json.raw(signal == .traces ? "{\"resourceSpans\":[" : "{\"resourceLogs\":[")
        var seen: Set<Int64> = []
        for first in order where seen.insert(first.run).inserted {
            json.separate()
            json.raw("{\"resource\":{\"attributes\":")
            json.attributes(runs[first.run]?.attributes ?? OTLPAttributes())
            json.raw(signal == .traces ? "},\"scopeSpans\":[" : "},\"scopeLogs\":[")
            for group in order where group.run == first.run {
                json.separate()
                json.raw("{\"scope\":{\"name\":")
                json.string(group.scope)
                json.raw(signal == .traces ? "},\"spans\":[" : "},\"logRecords\":[")
                if let spans = groups[group] { json.append(spans.bytes) }
                json.raw("]}")
            }
            json.raw("]}")
        }
        json.raw("]}")
        let bytes = Bytes(json.bytes)
        guard isCompressed, var deflater = Deflater(level: 1) else { return bytes }
        return deflater.encode(bytes, isLast: true)
    }
}

extension OTLPJSON {
    /// Appends an element to a list.
    fileprivate mutating func join(_ other: OTLPJSON) {
        if !bytes.isEmpty { raw(",") }
        append(other.bytes)
    }
}
