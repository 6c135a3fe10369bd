internal import NetCompression
internal import NetCore
internal import NetRecord
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The result of an export.
public struct ActivityExport: Sendable, Hashable {
    /// The number of written items: calls, WebSockets, jobs and log lines.
    public var items = 0
    /// The number of entries in the file; in a HAR file, one for each attempt.
    public var entries = 0
    /// The size of the file in bytes.
    public var bytes: Int64 = 0
}

/// Writes HAR piece by piece on a reader thread. Only one part of the entries is in memory, and the list of pages.
final class HARExport: Sendable {
    private struct State: ~Copyable {
        var deflater: Deflater?
        var result = ActivityExport()
        /// The entry after which the next part begins.
        var last: Int64
        var pages = HARPageList()
    }

    /// A part of the file.
    private struct Part {
        var text: String
        var items = 0
        var entries = 0
        var last: Int64
        var pages: HARPageList
    }

    /// The maximum number of items in a part.
    static let part = 50

    private let condition: FilterCondition
    private let end: Int64
    private let sink: @Sendable (Bytes) throws(StoreError) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - condition: The condition that items meet.
    ///   - range: The numbers of the first and the last item.
    ///   - sink: Receives the pieces of the file.
    init(
        _ condition: FilterCondition, _ range: ClosedRange<Int64>, isCompressed: Bool,
        _ sink: @escaping @Sendable (Bytes) throws(StoreError) -> Void
    ) {
        self.condition = condition
        self.sink = sink
        end = range.upperBound
        state = Mutex(State(deflater: isCompressed ? Deflater(level: 6) : nil, last: range.lowerBound - 1))
    }

    /// The totals so far.
    var result: ActivityExport { state.withLock { $0.result } }

    /// Writes a part; returns false if it was the last one.
    func writePart(on connection: SQLiteConnection) throws(StoreError) -> Bool {
        let (last, written, pages) = state.withLock { ($0.last, $0.result, $0.pages) }
        var part = Part(text: written.items == 0 ? HARWriter.beginning : "", last: last, pages: pages)
        try connection.snapshot { () throws(StoreError) in
            let items = try StoredItem.all(
                " WHERE i.id > ? AND i.id <= ? AND i.kind <= 2 AND \(condition.sql) ORDER BY i.id LIMIT ?",
                [.integer(last), .integer(end)] + condition.values + [.integer(Int64(Self.part))], on: connection)
            for item in items {
                for entry in try entries(of: item, &part.pages, on: connection) {
                    if written.entries + part.entries > 0 { part.text += "," }
                    part.text += HARWriter.text(of: entry)
                    part.entries += 1
                }
                part.items += 1
                part.last = item.id
            }
        }
        let isLast = part.items < Self.part
        if isLast { part.text += HARWriter.end(pages: part.pages.value) }
        try sink(add(part, isLast: isLast))
        return !isLast
    }

    /// Adds a part to the totals and returns its bytes, compressed if the file is.
    private func add(_ part: Part, isLast: Bool) -> Bytes {
        let bytes = Bytes(part.text.utf8)
        return state.withLock { state in
            let piece = state.deflater?.encode(bytes, isLast: isLast) ?? bytes
            (state.last, state.pages) = (part.last, part.pages)
            state.result.items += part.items
            state.result.entries += part.entries
            state.result.bytes += Int64(piece.count)
            return piece
        }
    }

    /// Returns the entries of a call and the WebSocket that it opened. The pair is written only once: with the call if
    /// the call is exported, otherwise with the WebSocket.
    private func entries(
        of item: StoredItem, _ pages: inout HARPageList, on connection: SQLiteConnection
    ) throws(StoreError) -> [JSONValue] {
        var (call, socket): (StoredItem?, StoredItem?) = (item, nil)
        let other = " WHERE i.uid = ? AND i.kind = ?"
        if item.kind == .socket {
            socket = item
            call = try StoredItem.all(other, [.blob(item.uid.bytes), .integer(1)], on: connection).first
            if let call, call.id <= end, try isWanted(call, on: connection) { return [] }
        } else {
            socket = try StoredItem.all(other, [.blob(item.uid.bytes), .integer(2)], on: connection).first
        }
        let detail = try StoredDetail.of(call ?? item, on: connection)
        let messages =
            socket == nil
            ? [] : try StoredMessage.all(of: item.uid, after: 0, limit: .max, on: connection)
        return HAREntries(detail: detail, socket: socket, messages: messages).values(&pages)
    }

    private func isWanted(_ item: StoredItem, on connection: SQLiteConnection) throws(StoreError) -> Bool {
        let sql = "SELECT count(*) FROM net_item AS i WHERE i.id = ? AND \(condition.sql)"
        return try connection.integer(sql, [.integer(item.id)] + condition.values) == 1
    }
}

/// The entries of one call.
private struct HAREntries {
    let detail: StoredDetail
    let socket: StoredItem?
    let messages: [StoredMessage]

    func values(_ pages: inout HARPageList) -> [JSONValue] {
        let kept = HARDetail(detail.item.kind == .call ? detail.item.detail : nil)
        let page = kept?.page.map { pages.add($0.id, $0.members) }
        // The stored messages are written: an exchange's messages have neither sizes nor control frames.
        let steps = detail.steps(socket: socket)
        return steps.enumerated().map { index, step in
            guard case .object(var entry) = HARWriter().entry(step.exchange) else { return .null }
            let members = HARMembers(
                step, of: detail, socket: socket, isFirst: index == 0, entries: steps.count)
            if let bytes = try? JSONCoding.standard.encode(members),
                let value = try? JSONCoding.standard.decode(JSONValue.self, from: bytes)
            {
                entry["_netActivity"] = value
            }
            if index == 0, let comment = detail.item.comment ?? socket?.comment, !comment.isEmpty {
                entry["comment"] = .string(comment)
            }
            if step.attempt == nil, detail.exchanges.contains(where: { $0.number == step.number }) {
                entry["_fromCache"] = "disk"
            }
            if step.attempt?.isReused == true { entry["_connectionReused"] = true }
            kept?.write(to: &entry, page: page)
            if socket != nil, index == steps.count - 1 {
                entry["_resourceType"] = "websocket"
                entry["_webSocketMessages"] = .array(messages.map { HARMessage($0).value })
            }
            return .object(entry)
        }
    }
}

extension HARMessage {
    fileprivate init(_ message: StoredMessage) {
        self.init(
            isSent: message.isSent, opcode: message.kind.opcode, text: message.text ?? "",
            bytes: message.kind == .text ? nil : message.bytes ?? Bytes(message.text?.utf8 ?? "".utf8))
        time = message.date.timeIntervalSince1970
        isCut = message.isCut
        let kept = bytes?.count ?? text.utf8.count
        size = message.size == Int64(kept) ? nil : message.size
    }
}
