import NetCore
import NetSocketCore

struct STOMPWire: WireMachine {
    private var topics: [String: String] = [:]
    private var (receipts, last) = ([String: WireSignal](), 0)

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch signal {
        case .open(let headers):  // such as login and passcode
            let own = ["accept-version": "1.2", "host": "/", "heart-beat": "1000,2000"]
            return [frame("CONNECT", own.merging(try headers?.decoded() ?? [:]) { $1 })]
        case .join(let join):
            topics["\(join.id)"] = join.topic
            let (topic, receipt) = (join.topic, confirmed(.joined(WireJoined(id: join.id, topic: join.topic))))
            return [frame("SUBSCRIBE", ["id": "\(join.id)", "destination": topic, "receipt": receipt])]
        case .leave(let id, let topic):
            guard let number = topics.first(where: { $0.value == topic })?.key else { return [] }
            return [frame("UNSUBSCRIBE", ["id": number, "receipt": confirmed(.left(id, topic: topic, nil))])]
        case .request(let request):
            var headers = ["destination": request.topic ?? request.event, "content-type": "application/json"]
            if let id = request.id { headers["receipt"] = confirmed(.reply(WireReply(id: id, .success(nil)))) }
            return [frame("SEND", headers, request.payload?.json ?? "")]
        case .heartbeat: return [.text("\n")]
        default: return []
        }
    }
    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        guard let text = message.text, let gap = text.firstRange(of: "\n\n") else { return WireReading([.alive(nil)]) }
        let (head, body) = (text[..<gap.lowerBound], String(text[gap.upperBound...].prefix { $0 != "\0" }))
        var headers: [String: String] = [:]
        for line in head.split(separator: "\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map(unescaped)
            if parts.count == 2, headers[parts[0]] == nil { headers[parts[0]] = parts[1] }
        }
        switch head.prefix(while: { $0 != "\n" }) {
        case "CONNECTED":
            let beats = headers["heart-beat"]?.split(separator: ",").map { Int($0).map { min($0, 1 << 31) } ?? 0 } ?? []
            // The server's longest silence, with a margin; the time between our heartbeats that it expects.
            let (silence, interval) = (2 * (beats.first ?? 0), beats.last ?? 0)
            let opened = WireOpened(heartbeat: .milliseconds(silence), heartbeatInterval: .milliseconds(interval))
            return WireReading([.opened(opened)])
        case "MESSAGE":
            var push = WirePush(event: "message", payload: SocketPayload(json: body), topic: headers["destination"])
            push.channels = headers["subscription"].flatMap { topics[$0] }.map { [$0] } ?? []
            return WireReading([.push(push)])
        case "RECEIPT":
            return WireReading(receipts.removeValue(forKey: headers["receipt-id"] ?? "").map { [$0] } ?? [])
        case "ERROR":
            return WireReading([.end(WireEnd(SocketFailure(headers["message"] ?? "error", body), mayReconnect: false))])
        default: return WireReading()
        }
    }
    private mutating func confirmed(_ signal: WireSignal) -> String {
        last += 1
        receipts["\(last)"] = signal
        return "\(last)"
    }
    private func frame(_ command: String, _ headers: [String: String], _ body: String = "") -> WebSocketMessage {
        .text("\(command)\n\(headers.map { "\(escaped($0)):\(escaped($1))\n" }.joined())\n\(body)\0")
    }
    private func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing(":", with: "\\c")
    }
    private func unescaped(_ text: Substring) -> String {
        let parts = text.split(separator: "\\\\", omittingEmptySubsequences: false)
        return parts.map { $0.replacing("\\n", with: "\n").replacing("\\c", with: ":") }.joined(separator: "\\")
    }
}
