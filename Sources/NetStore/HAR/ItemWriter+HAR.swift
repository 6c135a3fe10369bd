internal import NetCore
internal import NetRecord

extension ItemWriter {
    /// Writes the calls of a file in one transaction, as a separate run.
    func add(
        _ calls: some RecordedCalls, entries: Int, by producer: HARProducer, pins: Bool
    ) throws(StoreError) -> HARImport {
        guard let statements else { throw StoreError.closed(connection.path) }
        let now = StoredTime.microseconds(of: configuration.clock.date())
        let age = configuration.retention.age.map { now &- StoredTime.microseconds(of: $0) }
        var result = HARImport(entries: entries)
        // Each entry changes pages of nine indexes: with SQLite's own 2 MB, 5 % of the time went into writing them early.
        try connection.execute("PRAGMA cache_size = -16384")
        defer { try? connection.execute("PRAGMA cache_size = -2000") }
        do throws(StoreError) {
            try connection.transaction { () throws(StoreError) in
                try names.begin()
                var (calls, totals) = (calls, HourTotals())
                let hasOpen = try connection.integer("SELECT EXISTS (SELECT 1 FROM net_open)") != 0
                let run = try RunStatement.add(
                    process: producer.name ?? "unknown", version: producer.version, at: now, on: connection)
                while let call = try StoreError.reading({ () throws(RecordFileError) in try calls.next() }) {
                    let added = try add(call, run: run, statements, pins: pins, hasOpen: hasOpen, to: &totals, &result)
                    if added, let age, call.endedAt < age { result.expiring += 1 }
                }
                result.add(calls.remarks)
                try statements.items.add(result.calls + result.sockets)
                try statements.hours.add(totals, run: run)
                if result.calls + result.sockets > 0 {
                    result.run = run
                    try connection.run(
                        "UPDATE net_run SET written = ? WHERE id = ?",
                        [.integer(Int64(result.calls + result.sockets)), .integer(run)])
                } else {
                    try connection.run("DELETE FROM net_run WHERE id = ?", [.integer(run)])
                }
            }
        } catch {
            names.forget()
            throw error
        }
        if pins { result.expiring = 0 }
        return result
    }

    /// Adds a call; returns false if it's already stored.
    private func add(
        _ call: RecordedCall, run: Int64, _ statements: Statements, pins: Bool, hasOpen: Bool,
        to totals: inout HourTotals, _ result: inout HARImport
    ) throws(StoreError) -> Bool {
        let item = call.detail.item
        var isUnderWay = false
        if hasOpen {
            let sql = "SELECT count(*) FROM net_open WHERE uid = ?"
            isUnderWay = try connection.integer(sql, [.blob(item.uid.bytes)]) != 0
        }
        let draft = ItemDraft(item, call.detail.attempts)
        guard !isUnderWay, let id = try statements.items.write(draft, run: run, to: &totals) else {
            result.alreadyStored += 1
            return false
        }
        if item.kind == .call { result.calls += 1 } else { result.sockets += 1 }
        try note(item, id, pins: pins)
        for exchange in call.detail.exchanges {
            let row = CaptureRow(exchange, of: item.uid, (item.requestType, item.responseType))
            try statements.captures.write(row, isUnderWay: true)
        }
        guard let socket = call.socket ?? (item.kind == .socket ? item : nil) else { return true }
        if let socket = call.socket {
            if let id = try statements.items.write(ItemDraft(socket), run: run, to: &totals) {
                result.sockets += 1
                try note(socket, id, pins: pins)
            }
        }
        for message in call.messages {
            try statements.captures.write(MessageRow(message, of: socket.uid), isUnderWay: true)
        }
        result.messages += call.messages.count
        return true
    }

    private func note(_ item: StoredItem, _ id: Int64, pins: Bool) throws(StoreError) {
        guard pins || item.isPinned || item.comment != nil else { return }
        let now = StoredTime.microseconds(of: configuration.clock.date())
        try connection.run(
            "INSERT INTO net_note (item, is_pinned, comment, changed_at) VALUES (?, ?, ?, ?)",
            [.integer(id), .integer(pins || item.isPinned ? 1 : 0), .optional(item.comment), .integer(now)])
    }
}

extension RecordedCall {
    /// The time when the call or WebSocket ended, in microseconds since 1970.
    fileprivate var endedAt: Int64 {
        let item = socket ?? detail.item
        let duration = item.duration.map { StoredTime.microseconds(of: $0) } ?? 0
        return StoredTime.microseconds(of: item.startedAt).addingReportingOverflow(duration).partialValue
    }
}

extension StoreError {
    /// Runs a body that reads another program's file; converts its errors.
    static func reading<Value>(_ body: () throws(RecordFileError) -> Value) throws(StoreError) -> Value {
        do throws(RecordFileError) {
            return try body()
        } catch {
            let line = error.position.map { "line \($0.line), column \($0.column): " } ?? ""
            let place = error.place.isEmpty ? "" : "\(error.place): "
            throw StoreError(
                .invalidImport, message: "\(line)\(place)\(error.problem); \(error.advice)", path: error.file)
        }
    }
}
