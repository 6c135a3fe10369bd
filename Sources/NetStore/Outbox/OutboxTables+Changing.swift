internal import HTTPTypes
internal import NetCore
internal import NetCrypto

/// The stored request of an item that a sender has begun to send.
struct OutboxSend: Sendable {
    let id: OutboxItem.ID
    let method: HTTPRequest.Method
    let target: String
    let isAbsolute: Bool
    let headers: HTTPFields
    let body: Bytes?
    let metadata: RequestMetadata
    let sendsCredentials: Bool
    let idempotencyKey: String
    /// The user; nil for an item of any sender.
    let owner: SealedNames?
    let attempt: OutboxDecision.Attempt
    /// The job, and the sequence number of the activity that reports its beginning; the next number is that of its
    /// call.
    let position: OutboxTables.JobPosition
}

extension OutboxTables {
    /// An item after a change.
    struct Changed: Sendable {
        let position: JobPosition
        let item: OutboxItem
    }

    /// The result of a request to retry or drop an item.
    enum Change: Sendable {
        case done(JobPosition?)
        case unknown
        case finished
    }

    /// Marks an item as being sent; returns nil if it must not be sent anymore.
    func begin(_ id: OutboxItem.ID, now: Int64) throws(StoreError) -> OutboxSend? {
        try change(
            "state = 2, attempts = attempts + 1, activities = activities + 2", [], id, now, from: "state IN (1, 3)")
        guard connection.changes == 1 else { return nil }
        var send: OutboxSend?
        try connection.rows(
            """
            SELECT method, target, is_absolute, headers, body, name, operation, tags, sends_credentials,
                idempotency_key, attempts, refusals, accepted_statuses, expires_at, job, activities, \(owner)
            FROM outbox_item WHERE id = ?
            """, [.integer(id)]
        ) { row throws(StoreError) in
            guard let method = row.text(0).flatMap({ HTTPRequest.Method($0) }), let job = row.id(14),
                let accepted = AcceptedStatuses(text: row.text(12) ?? "")
            else { throw row.unexpected("an invalid request") }
            send = OutboxSend(
                id: id, method: method, target: row.text(1) ?? "", isAbsolute: row.bool(2) ?? false,
                headers: OutboxText.headers(row.text(3) ?? ""), body: row.blob(4).map { Bytes($0) },
                metadata: RequestMetadata(
                    name: row.text(5), operationID: row.text(6), tags: row.text(7).map { OutboxText.list($0) } ?? []),
                sendsCredentials: row.bool(8) ?? false, idempotencyKey: row.text(9) ?? "",
                owner: try row.owner(16),
                attempt: .init(
                    attempts: row.int(10) ?? 1, refusals: row.int(11) ?? 0, accepted: accepted,
                    expiresAt: row.integer(13)),
                position: .init(job: job, sequence: (row.int(15) ?? 2) - 1))
        }
        return send
    }

    /// Stores the result of an attempt; returns nil if the item was dropped in the meantime.
    func end(
        _ id: OutboxItem.ID, _ decision: OutboxDecision, _ response: OutboxResponse?, _ failure: OutboxItem.Failure?,
        now: Int64, keptFinished: Int
    ) throws(StoreError) -> JobPosition? {
        let result: [SQLiteValue] = [
            .optional(response?.status), .optional(response.map { OutboxText.headers($0.headers) }),
            response.map { .blob([UInt8]($0.body)) } ?? .null, .integer(response?.isCut == true ? 1 : 0),
            .optional(failure?.code), .optional(failure?.message),
        ]
        let columns = """
            status = ?, response_headers = ?, response_body = ?, response_is_cut = ?, error_code = ?, error_message = ?,
            activities = activities + 1
            """
        switch decision {
        case .complete:
            guard let position = try finish(id, as: .completed, columns, result, now: now, from: "state = 2") else {
                return nil
            }
            try forget(keeping: keptFinished)
            return position
        case .wait(let due, let countsAsRefusal):
            try change(
                "state = 3, due_at = ?, refusals = refusals + ?, \(columns)",
                [.integer(due), .integer(countsAsRefusal ? 1 : 0)] + result, id, now, from: "state = 2")
        case .park(let reason):
            try change(
                "state = 4, park_reason = ?, \(columns)", [.text(reason.rawValue)] + result, id, now, from: "state = 2")
        }
        return connection.changes == 1 ? try position(of: id) : nil
    }

    /// Queues an item again after its send was cancelled.
    func release(_ id: OutboxItem.ID, now: Int64) throws(StoreError) -> JobPosition? {
        try change("state = 1, activities = activities + 1", [], id, now, from: "state = 2")
        return connection.changes == 1 ? try position(of: id) : nil
    }

    /// Queues the items again that an earlier sender was sending when it ended. Only the sender may call this.
    func releaseAll(now: Int64) throws(StoreError) {
        var ids: [Int64] = []
        try connection.rows("SELECT id FROM outbox_item WHERE state = 2", []) { row throws(StoreError) in
            ids.append(row.integer(0) ?? 0)
        }
        for id in ids { _ = try release(id, now: now) }
    }

    /// Parks an expired item; returns nil if it has changed in the meantime.
    func expire(_ id: OutboxItem.ID, now: Int64) throws(StoreError) -> JobPosition? {
        try change(
            "state = 4, park_reason = 'expired', activities = activities + 1", [], id, now, from: "state IN (1, 3)")
        return connection.changes == 1 ? try position(of: id) : nil
    }

    /// Makes a parked or waiting item due now. A parked item gets a new job and its full original lifetime.
    func retry(_ id: OutboxItem.ID, newJob: CallID, now: Int64) throws(StoreError) -> Change {
        guard let state = try state(of: id) else { return .unknown }
        switch state {
        case .completed, .dropped: return .finished
        case .queued, .sending: return .done(nil)
        case .waiting:
            try change(
                "state = 1, due_at = ?, activities = activities + 1", [.integer(now)], id, now, from: "state = 3")
        case .parked:
            try change(
                """
                state = 1, due_at = ?, refusals = 0, park_reason = NULL, job = ?, activities = 1,
                expires_at = min(?, 9223372036854775807 - lifetime) + lifetime
                """, [.integer(now), .blob(newJob.bytes), .integer(now)], id, now, from: "state = 4")
        }
        return .done(try position(of: id))
    }

    /// Drops an item. The position is nil if the item's job had already ended.
    func drop(_ id: OutboxItem.ID, now: Int64, keptFinished: Int) throws(StoreError) -> Change {
        guard let state = try state(of: id) else { return .unknown }
        if state.isFinal { return .finished }
        let position = try finish(id, as: .dropped, "activities = activities + 1", [], now: now, from: "state < 5")
        try forget(keeping: keptFinished)
        return .done(state == .parked ? nil : position)
    }

    private func finish(
        _ id: OutboxItem.ID, as state: OutboxItem.State, _ columns: String, _ values: [SQLiteValue], now: Int64,
        from condition: String
    ) throws(StoreError) -> JobPosition? {
        var size: Int64?
        try connection.rows("SELECT size FROM outbox_item WHERE id = ? AND \(condition)", [.integer(id)]) {
            row throws(StoreError) in size = row.integer(0)
        }
        guard let size else { return nil }
        try connection.run("UPDATE outbox_total SET items = items - 1, bytes = bytes - ?", [.integer(size)])
        try change(
            """
            state = \(state.rawValue), headers = '', body = NULL, body_bytes = 0, size = 0, park_reason = NULL,
            \(columns)
            """, values, id, now, from: condition)
        return try position(of: id)
    }

    /// Deletes finished items, oldest first, down to the given number.
    private func forget(keeping count: Int) throws(StoreError) {
        try connection.run(
            """
            DELETE FROM outbox_item WHERE state >= 5 AND revision <= (
                SELECT revision FROM outbox_item WHERE state >= 5 ORDER BY revision DESC LIMIT 1 OFFSET ?)
            """, [.integer(Int64(max(1, count)))])
    }

    private func change(
        _ columns: String, _ values: [SQLiteValue], _ id: OutboxItem.ID, _ now: Int64, from condition: String
    ) throws(StoreError) {
        let revision = try nextRevision()
        try connection.run(
            "UPDATE outbox_item SET \(columns), revision = ?, changed_at = ? WHERE id = ? AND \(condition)",
            values + [.integer(revision), .integer(now), .integer(id)])
    }

    private func state(of id: OutboxItem.ID) throws(StoreError) -> OutboxItem.State? {
        var state: OutboxItem.State?
        try connection.rows("SELECT state FROM outbox_item WHERE id = ?", [.integer(id)]) { row throws(StoreError) in
            guard let value = row.int(0).flatMap(OutboxItem.State.init(rawValue:)) else {
                throw row.unexpected("an unknown state")
            }
            state = value
        }
        return state
    }

    /// Returns the job of an item; nil if the item doesn't exist.
    func position(of id: OutboxItem.ID) throws(StoreError) -> JobPosition? {
        var position: JobPosition?
        try connection.rows("SELECT job, activities FROM outbox_item WHERE id = ?", [.integer(id)]) {
            row throws(StoreError) in
            if let job = row.id(0) { position = .init(job: job, sequence: row.int(1) ?? 0) }
        }
        return position
    }
}
