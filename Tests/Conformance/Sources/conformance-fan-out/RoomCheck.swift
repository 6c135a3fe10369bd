#if Redis
import NetSocketCore

/// The messages that the clients of one room have received, and a check of them.
struct RoomCheck {
    private let room: String
    private let clients: [FleetClient]

    init(_ room: String, _ clients: [FleetClient]) {
        self.room = room
        self.clients = clients
    }

    /// Throws unless each client has received exactly these messages, all in the same order, each offset once, and no
    /// notice of a gap.
    func hasOneOrder(of keys: Set<String>) throws {
        let first = clients.first?.records ?? []
        try expect(Set(try first.map { try key(of: $0) }) == keys, "\(room): other messages than were sent")
        for client in clients {
            let (records, told) = (client.records, client.told)
            try expect(told.isEmpty, "\(room): \(client.name) was told \(told) \(place(of: records))")
            for (index, record) in records.enumerated() {
                guard case .push(let offset, _) = record, offset == UInt64(index) + 1 else {
                    let last = records[max(0, index - 3)..<index]
                    throw Failure("\(room): \(client.name) has \(record) at place \(index + 1), after \(last)")
                }
            }
            try expect(records.count == keys.count, "\(room): \(client.name) has \(records.count) of \(keys.count)")
            try expect(records == first, "\(room): \(client.name) and \(clients[0].name) have other orders")
        }
    }

    /// Throws if a client misses something between its first and its last message without a notice at that position.
    /// Returns the number of clients that received a notice.
    func hasNoSilentHole(until last: String) throws -> Int {
        let labels = try Labels(clients, last)
        for client in clients {
            // nil after a notice: then any message may follow.
            var before: (epoch: String?, offset: UInt64)? = (nil, 0)
            for record in client.records {
                guard case .push(let offset, _) = record else {
                    before = nil
                    continue
                }
                let epoch = labels.epoch(of: try key(of: record), offset)
                if let before {
                    let isSame = before.epoch == nil || epoch == nil || before.epoch == epoch
                    try expect(
                        offset == before.offset + 1 && isSame,
                        "\(room): \(client.name) has \(offset) of \(epoch ?? "?") after \(before), and wasn't told")
                }
                before = (epoch, offset)
            }
            try expect(
                try client.records.last.map { try key(of: $0) } == last,
                "\(room): \(client.name) has \(client.records.last.map { "\($0)" } ?? "nothing") at the end")
        }
        return clients.count { !$0.told.isEmpty }
    }

    /// Describes the records around a client's notice.
    private func place(of records: [FleetClient.Record]) -> String {
        guard let index = records.firstIndex(where: { if case .told = $0 { true } else { false } }) else { return "" }
        return "(\(index) of \(records.count): \(records[max(0, index - 3)..<min(records.count, index + 4)]))"
    }

    private func key(of record: FleetClient.Record) throws -> String {
        guard case .push(_, let text) = record else { return "" }
        return try SocketPayload(json: text).decoded(as: Said.self).key
    }
}

/// The epochs of offsets, in a room that had at most two.
private struct Labels {
    private let replies: [String: Say.Response]
    private let earlier: String

    init(_ clients: [FleetClient], _ last: String) throws {
        replies = clients.reduce(into: [:]) { $0.merge($1.replies) { first, _ in first } }
        guard let end = replies[last] else { throw Failure("the last message has no position") }
        let epochs = Set(replies.values.map(\.epoch)).subtracting([end.epoch])
        try expect(epochs.count <= 1, "there were \(epochs.count + 1) epochs")
        earlier = epochs.first ?? "earlier"
    }

    /// Returns the epoch of an offset; nil if it isn't known. A message whose confirmation was lost with the broker has
    /// another position in its reply.
    func epoch(of key: String, _ offset: UInt64) -> String? {
        replies[key].map { $0.offset == offset ? $0.epoch : earlier }
    }
}
#endif
