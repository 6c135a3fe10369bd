internal import HTTPTypes
internal import NetCore
internal import NetCrypto
package import NetRecord

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The redacted calls of a HAR file, one by one. Entries written by a store are reassembled into calls; in other files,
/// each entry is a call whose ID is derived from its content: importing the same file again gives the same IDs.
struct HARCalls: RecordedCalls {
    /// An entry of a call whose other entries haven't been read yet.
    fileprivate struct Part {
        var members: HARMembers
        var exchange: CapturedExchange
        var stored: StoredExchange
        var messages: [StoredMessage]
        var comment: String?
        var detail: String?
    }

    private var file: HARFile
    private let name: String
    private let policy = RedactionPolicy.safeDefault
    private let pages: HARPages
    private var parts: [String: [Part]] = [:]
    private var ready: [RecordedCall] = []
    /// The number of times each content has occurred.
    private var repeats: [CallID: Int] = [:]

    init(_ file: HARFile, name: String) {
        self.file = file
        self.name = name
        pages = HARPages(file.pages, policy)
    }

    /// Returns the next call; nil after the last one.
    mutating func next() throws(RecordFileError) -> RecordedCall? {
        while ready.isEmpty {
            guard let entry = try file.next() else {
                // The file was truncated or changed: finish the incomplete calls with the entries found.
                guard let key = parts.keys.min(), let rest = parts.removeValue(forKey: key) else { return nil }
                finish(rest)
                continue
            }
            try add(entry)
        }
        return ready.removeFirst()
    }

    private mutating func add(_ entry: HAREntry) throws(RecordFileError) {
        let messages = Self.messages(of: entry, policy)
        var exchange = entry.exchange
        exchange.keepMessages(false)
        exchange = policy.redact(exchange)
        let comment = entry.node["comment"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        let detail = HARDetail(entry, exchange, pages: pages, policy).text
        guard let members = try members(of: entry) else {
            return ready.append(foreign(exchange, entry.times, messages, comment, detail))
        }
        var part = Part(
            members: members, exchange: exchange, stored: StoredExchange(number: members.number, exchange, entry.times),
            messages: messages, comment: comment, detail: detail)
        part.take(members.capture)
        guard members.entries > 1 else { return finish([part]) }
        var known = parts.removeValue(forKey: members.call) ?? []
        guard !known.contains(where: { $0.members.number == members.number }) else {
            parts[members.call] = known
            return try file.skip(
                entry.problem("_netActivity", "an attempt of the call appears twice", in: name))
        }
        known.append(part)
        if known.count >= members.entries { finish(known) } else { parts[members.call] = known }
    }

    /// Returns the members that a store wrote; nil in another program's file.
    private mutating func members(of entry: HAREntry) throws(RecordFileError) -> HARMembers? {
        guard let node = entry.node["_netActivity"], node["version"]?.number == Double(HARMembers.current) else {
            return nil
        }
        guard let members = try? node.value.decoded(as: HARMembers.self) else {
            try file.skip(entry.problem("_netActivity", "the member isn't in the form that a store writes", in: name))
            return nil
        }
        if CallID(text: members.call) != nil { return members }
        try file.skip(entry.problem("_netActivity", "\"call\" isn't an ID", in: name))
        return nil
    }

    /// The entries and parts that were skipped so far, and the values that were guessed.
    var remarks: HARRemarks { file.remarks }

    private mutating func foreign(
        _ exchange: CapturedExchange, _ times: HARTimes?, _ messages: [StoredMessage], _ comment: String?,
        _ detail: String?
    ) -> RecordedCall {
        let content = exchange.contentID(messages)
        let count = repeats[content, default: 0]
        repeats[content] = count + 1
        let uid = CallID(high: content.high, low: count == 0 ? content.low : content.low ^ UInt64(count) << 8)
        var call = RecordedCall(
            exchange, times: times, messages: exchange.socket == nil ? nil : messages, uid: uid)
        (call.detail.item.comment, call.detail.item.detail) = (comment, detail)
        return call
    }

    private mutating func finish(_ parts: [Part]) {
        let first = parts.first { $0.members.item != nil || $0.members.socket != nil }
        guard let first, let uid = CallID(text: first.members.call) else {
            // The entry that describes the call is missing.
            for part in parts { ready.append(foreign(part.exchange, nil, part.messages, part.comment, part.detail)) }
            return
        }
        let socket = first.members.socket?.stored(uid, .socket, policy)
        let messages = parts.flatMap(\.messages)
        guard var item = first.members.item?.stored(uid, .call, policy) else {
            guard let socket else { return }
            let detail = StoredDetail(item: socket, attempts: [], exchanges: [], owned: [])
            return ready.append(RecordedCall(detail: detail, socket: nil, messages: messages))
        }
        (item.comment, item.detail) = (first.comment, first.detail)
        var detail = StoredDetail(item: item, attempts: [], exchanges: [], owned: [])
        for part in parts {
            if var attempt = part.members.attempt?.stored(number: part.members.number, of: item) {
                attempt.url = attempt.url.map { policy.redact(url: $0) }
                detail.attempts.append(attempt)
            }
            if part.members.capture != nil { detail.exchanges.append(part.stored) }
        }
        ready.append(RecordedCall(detail: detail, socket: socket, messages: socket == nil ? [] : messages))
    }

    private static func messages(of entry: HAREntry, _ policy: RedactionPolicy) -> [StoredMessage] {
        // Most entries have none, and finding the secrets of the request takes time.
        guard !entry.messages.isEmpty else { return [] }
        var redaction = SocketRedaction(entry.exchange.request, policy: policy)
        var date = entry.exchange.recordedAt.addingTimeInterval(entry.exchange.duration.inSeconds)
        return entry.messages.enumerated().map { index, message in
            if let time = message.time, abs(time) < 1e12 { date = Date(timeIntervalSince1970: time) }
            let content = message.bytes.map { WebSocketMessage.binary($0) } ?? .text(message.text)
            let redacted = redaction.redact(content, from: message.isSent ? .client : .server, isCut: message.isCut)
            var stored = StoredMessage(redacted, number: index + 1, isSent: message.isSent, at: date)
            stored.kind = StoredMessage.Kind(opcode: message.opcode) ?? stored.kind
            stored.size = message.size ?? Int64(content.count)
            stored.isCut = message.isCut
            return stored
        }
    }
}

extension RecordedCall {
    /// Returns the redacted calls of a HAR file, compressed or not, in file order, and the remarks about the file.
    package static func all(
        ofHAR path: String
    ) throws(RecordFileError) -> (calls: [RecordedCall], remarks: HARRemarks) {
        var calls = HARCalls(try HARFile(try HARContent.read(path, maximumBytes: 1 << 30), file: path), name: path)
        var all: [RecordedCall] = []
        while let call = try calls.next() { all.append(call) }
        return (all, calls.remarks)
    }
}

extension HARCalls.Part {
    /// Applies the store's information about the bodies.
    fileprivate mutating func take(_ capture: HARMembers.Capture?) {
        guard let capture else { return }
        stored.status = capture.status
        stored.request = Self.body(stored.request, capture.request)
        stored.response = Self.body(stored.response, capture.response)
    }

    private static func body(
        _ body: StoredExchange.Body?, _ known: HARMembers.Capture.Body?
    ) -> StoredExchange.Body? {
        known.map { StoredExchange.Body(bytes: body?.bytes ?? Bytes(), size: $0.size, isCut: $0.isCut) }
    }
}

extension StoredMessage.Kind {
    /// Returns the kind of an opcode (RFC 6455 section 11.8); nil for any other number.
    init?(opcode: Int) {
        switch opcode {
        case 1: self = .text
        case 2: self = .binary
        case 8: self = .close
        case 9: self = .ping
        case 10: self = .pong
        default: return nil
        }
    }

    var opcode: Int {
        switch self {
        case .text: 1
        case .binary: 2
        case .close: 8
        case .ping: 9
        case .pong: 10
        }
    }
}

extension CapturedExchange {
    /// Removes a WebSocket's messages unless `keep` is true.
    fileprivate mutating func keepMessages(_ keep: Bool) {
        guard !keep, case .response(var response) = outcome, response.socket != nil else { return }
        response.socket?.messages = []
        outcome = .response(response)
    }

    /// Returns an ID derived from the start time and a hash of the content.
    fileprivate func contentID(_ messages: [StoredMessage]) -> CallID {
        var words: [UInt64] = [0, 0]
        if var hash = RunningHash(.sha256) {
            func add(_ text: String) { hash.update(Bytes("\(text.utf8.count) \(text)".utf8)) }
            add("\(StoredTime.microseconds(of: recordedAt)) \(duration.inNanoseconds) \(request.method) \(request.url)")
            add(StoredExchange.text(request.headers) ?? "")
            hash.update(request.body.bytes)
            add(failure.map { "\($0.code) \($0.message)" } ?? "")
            add("\(response?.status.code ?? 0) \(response.flatMap { StoredExchange.text($0.headers) } ?? "")")
            hash.update(response?.body.bytes ?? Bytes())
            for message in messages {
                add("\(StoredTime.microseconds(of: message.date)) \(message.isSent) \(message.text ?? "")")
                hash.update(message.bytes ?? Bytes())
            }
            let digest = Array(hash.finish())
            for index in 0..<min(16, digest.count) { words[index / 8] = words[index / 8] << 8 | UInt64(digest[index]) }
        }
        let milliseconds = max(0, min(recordedAt.timeIntervalSince1970 * 1000, 0x1p48 - 1))
        return CallID(
            high: UInt64(milliseconds) << 16 | 0x7000 | words[0] & 0xfff, low: 0x8000_0000_0000_0000 | words[1] >> 2)
    }
}
