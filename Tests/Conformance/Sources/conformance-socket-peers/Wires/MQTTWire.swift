import NetCore
import NetSocketCore

struct MQTTWire: WireMachine {
    private var bytes: [UInt8] = []
    private var asked: [UInt16: (id: SocketID, filter: String)] = [:]
    private var filters: Set<String> = []

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch signal {
        // Version 3.1.1, a clean session, and at most 60 s without a packet. The broker names the client.
        case .open: return packet(0x10, text("MQTT") + [4, 2, 0, 60] + text(""))
        case .join(let join):
            let number = if case .number(let number) = join.id { UInt16(number & 0xFFFF) } else { UInt16(0) }
            asked[number] = (join.id, join.topic)
            return packet(0x82, [UInt8(number >> 8), UInt8(number & 255)] + text(join.topic) + [0])
        case .leave(_, let filter): return packet(0xA2, [255, 255] + text(filter))
        case .request(let request) where request.id == nil:
            return packet(0x30, text(request.topic ?? request.event) + (request.payload?.bytes ?? Bytes()))
        case .heartbeat: return packet(0xC0, [])
        case .end: return packet(0xE0, [])
        default: throw NetError(.unsupported, phase: .preparing, message: "MQTT has no commands with a reply")
        }
    }
    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        bytes += message.binary ?? Bytes()  // a message may have several packets, or a part of one
        var reading = WireReading()
        while let last = bytes.dropFirst().firstIndex(where: { $0 < 128 }) {
            let size = bytes[1...last].reversed().reduce(0) { $0 << 7 | Int($1 & 127) }
            guard (0...1 << 20).contains(size) else {
                throw NetError(.decoding, phase: .decoding, message: "a packet of MQTT has more than 1 MiB")
            }
            guard bytes.count > last + size else { break }
            reading.signals.append(signal(bytes[0], bytes[(last + 1)...].prefix(size)))
            bytes.removeFirst(last + 1 + size)
        }
        return reading
    }
    private mutating func signal(_ type: UInt8, _ body: ArraySlice<UInt8>) -> WireSignal {
        let (number, rest) = (body.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }, body.dropFirst(2))
        switch (type, asked[number]) {
        case (0x20, _) where number == 0: return .opened(WireOpened(heartbeatInterval: .seconds(30)))
        case (0x20, _): return .end(WireEnd(SocketFailure("\(number & 255)", "refused"), mayReconnect: false))
        case (0x90, let (id, filter)?) where rest.first != 0x80:
            filters.insert(filter)
            return .joined(WireJoined(id: id, topic: filter))
        case (0x90, let (id, filter)?): return .joinRefused(id, topic: filter, SocketFailure("refused"))
        case (0x30...0x3F, _):
            let topic = String(decoding: rest.prefix(Int(number)), as: UTF8.self)
            let payload = SocketPayload(bytes: Bytes(rest.dropFirst(Int(number))))
            let channels = filters.filter { covers($0.split(separator: "/"), topic.split(separator: "/")) }
            return .push(WirePush(event: "message", payload: payload, topic: topic, channels: channels.sorted()))
        default: return .alive(nil)
        }
    }
    private func covers(_ filter: [Substring], _ topic: [Substring]) -> Bool {  // a/+/c, a/#
        zip(filter, topic).allSatisfy { $0 == "+" || $0 == "#" || $0 == $1 }
            && (filter.count == topic.count || filter.last == "#" && filter.count <= topic.count + 1)
    }
    private func text(_ text: String) -> [UInt8] {
        [UInt8(text.utf8.count >> 8 & 255), UInt8(text.utf8.count & 255)] + text.utf8
    }
    private func packet(_ type: UInt8, _ body: [UInt8]) -> [WebSocketMessage] {
        var (head, rest) = ([type], body.count)
        while rest > 127 { (head, rest) = (head + [UInt8(rest & 127) | 128], rest >> 7) }
        return [.binary(Bytes(head + [UInt8(rest)] + body))]
    }
}
