import NetCore
import NetSocketCore

struct NATSWire: WireMachine {
    private var bytes: [UInt8] = []
    private var subjects: [String: String] = [:]
    /// The signals that the next PONGs confirm: the server handles lines in order.
    private var pending: [WireSignal] = []
    private let inbox = "_INBOX.\(UInt64.random(in: 1...UInt64.max))"

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch signal {
        case .open(let options):
            let settings = options?.json ?? #"{"verbose":false}"#
            return ping(.opened(WireOpened(heartbeatInterval: .seconds(30))), "CONNECT \(settings)", "SUB \(inbox).* 0")
        case .join(let join):
            subjects[join.id.description] = join.topic
            return ping(.joined(WireJoined(id: join.id, topic: join.topic)), "SUB \(join.topic) \(join.id)")
        case .leave(let id, let subject):
            let numbers = subjects.filter { $0.value == subject }.map(\.key)
            for number in numbers { subjects[number] = nil }
            return ping(.left(id, topic: subject, nil), numbers.map { "UNSUB \($0)" }.joined(separator: "\r\n"))
        case .request(let request):
            let (payload, reply) = (request.payload?.json ?? "", request.id.map { " \(inbox).\($0)" } ?? "")
            let subject = request.topic ?? request.event
            return [.binary(Bytes("PUB \(subject)\(reply) \(payload.utf8.count)\r\n\(payload)\r\n".utf8))]
        case .heartbeat: return ping(.alive(nil))
        default: return []
        }
    }
    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        bytes += message.binary ?? Bytes()  // a message may have several lines, or a part of one
        var reading = WireReading()
        while let end = bytes.firstIndex(of: 10) {
            let line = String(decoding: bytes[..<end].dropLast(), as: UTF8.self)
            let words = line.split(separator: " ")
            var size = end + 1
            switch words.first {
            case "MSG" where words.count > 3:
                guard let count = Int(words[words.count - 1]), (0...1 << 20).contains(count) else {
                    throw NetError(.decoding, phase: .decoding, message: "a message of NATS has more than 1 MiB")
                }
                size += count + 2
                guard bytes.count >= size else { return reading }
                let payload = SocketPayload(json: String(decoding: bytes[(end + 1)...].prefix(count), as: UTF8.self))
                reading.signals.append(signal(words[1], String(words[2]), payload))
            case "PONG" where !pending.isEmpty: reading.signals.append(pending.removeFirst())
            case "PING": reading.responses.append(.binary(Bytes("PONG\r\n".utf8)))
            case "-ERR":
                reading.signals.append(
                    .end(WireEnd(SocketFailure("error", String(line.dropFirst(5))), mayReconnect: false)))
            default: break  // INFO, +OK
            }
            bytes.removeFirst(size)
        }
        return reading
    }
    private func signal(_ subject: Substring, _ number: String, _ payload: SocketPayload) -> WireSignal {
        if subject.hasPrefix(inbox) {
            return .reply(WireReply(id: SocketID(String(subject.dropFirst(inbox.count + 1))), .success(payload)))
        }
        let channels = subjects[number].map { [$0] } ?? []
        return .push(WirePush(event: "message", payload: payload, topic: String(subject), channels: channels))
    }
    private mutating func ping(_ signal: WireSignal, _ lines: String...) -> [WebSocketMessage] {
        pending.append(signal)
        return [.binary(Bytes(((lines + ["PING"]).joined(separator: "\r\n") + "\r\n").utf8))]
    }
}
