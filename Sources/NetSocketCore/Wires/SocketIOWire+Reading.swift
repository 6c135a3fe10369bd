internal import NetCore

extension SocketIOWire {
    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        switch message {
        case .binary(let bytes): try attachment(bytes, message)
        case .text(let text): try engine(text, message)
        }
    }

    /// Reads a packet of Engine.IO.
    private mutating func engine(_ text: String, _ message: WebSocketMessage) throws(NetError) -> WireReading {
        switch (text.utf8.first.map { Unicode.Scalar($0) }, role) {
        case ("0", .client):
            guard let hello = try? JSONSlice(String(text.dropFirst())), hello.isObject else {
                throw Self.unreadable(message, "its first message has no JSON object")
            }
            if let interval = hello["pingInterval"]?.integer, let grace = hello["pingTimeout"]?.integer {
                heartbeat = .milliseconds(Int64(clamping: interval)) + .milliseconds(Int64(clamping: grace))
            }
            return WireReading()
        case ("1", _): return WireReading([.end(WireEnd())])
        case ("2", .client): return WireReading([.heartbeat(nil)], responses: [.text("3")])
        case ("3", .server): return WireReading([.alive(nil)])
        case ("4", _):
            // A text message ends the wait for attachments, since the peer won't send them any more.
            (waiting, unread) = (nil, 0)
            let packet: SocketIOPacket
            do throws(SocketIOPacket.Problem) { packet = try SocketIOPacket(text.dropFirst()) } catch {
                throw Self.unreadable(message, error.text)
            }
            return try read(packet, message)
        case ("6", _): return WireReading()
        default: throw Self.unreadable(message, "this side of a connection doesn't accept such an Engine.IO packet")
        }
    }

    private static let oldVersion = WireEnd(
        SocketFailure(
            "unsupported_version",
            "the server speaks Socket.IO 2 (version 3 of Engine.IO), whose messages mean something else; it needs Socket.IO "
                + "3 or later (python-socketio 5, for example)"),
        mayReconnect: false)

    private static func unreadable(_ message: WebSocketMessage, _ problem: String) -> NetError {
        SocketWire.unreadable(message, problem, by: name)
    }

    /// Reads a packet of Socket.IO.
    private mutating func read(_ packet: SocketIOPacket, _ message: WebSocketMessage) throws(NetError) -> WireReading {
        switch (packet.kind, role) {
        case (.connect, .server):
            return try connected(packet.namespace, packet.data?.payload)
        case (.connect, .client):
            // Version 3 of Engine.IO connects to the default namespace by itself, without a name for the connection.
            if packet.namespace == nil, packet.data?["sid"] == nil { return WireReading([.end(Self.oldVersion)]) }
            return WireReading(accepted(packet))
        case (.connectError, .client):
            let failure = SocketIOFailure.refusal(packet.data)
            guard let topic = packet.namespace else {
                return WireReading([.end(WireEnd(failure, mayReconnect: false))])
            }
            return WireReading(joins.removeValue(forKey: topic).map { [.joinRefused($0, topic: topic, failure)] } ?? [])
        case (.disconnect, .server):
            return WireReading([packet.namespace.map { .leave(SocketID($0), topic: $0) } ?? .end(WireEnd())])
        case (.disconnect, .client):
            guard let topic = packet.namespace else { return WireReading([.end(WireEnd(mayReconnect: false))]) }
            return WireReading([.left(leaves.removeValue(forKey: topic), topic: topic, nil)])
        case (.event, _), (.acknowledgement, _): return WireReading([try signal(packet, nil, message)])
        case (.binaryEvent, _), (.binaryAcknowledgement, _):
            let arguments = try arguments(packet, message)
            guard packet.attachments == 1, arguments.count == 1, SocketIOArguments.isPlaceholder(arguments[0]) else {
                unread = packet.attachments
                throw Self.unreadable(message, "it has an attachment that isn't its only argument")
            }
            waiting = packet
            return WireReading()
        default: throw Self.unreadable(message, "this side of a connection doesn't accept such a Socket.IO packet")
        }
    }

    /// Reads a client's connection to a namespace.
    private mutating func connected(_ namespace: String?, _ payload: SocketPayload?) throws(NetError) -> WireReading {
        guard let namespace else {
            // The wire was already opened, through another namespace.
            if case .by = opening {
                opening = .byDefault
                return WireReading(responses: [try accepted(nil, nil)])
            }
            opening = .byDefault
            return WireReading([.open(payload)])
        }
        let join = WireSignal.join(WireJoin(id: SocketID(namespace), topic: namespace, payload: payload))
        guard opening == .none else { return WireReading([join]) }
        opening = .by(namespace)
        return WireReading([.open(payload), join])
    }

    private mutating func accepted(_ packet: SocketIOPacket) -> [WireSignal] {
        guard let topic = packet.namespace else {
            let hasMore = (try? packet.data?.members().contains { $0.name != "sid" }) == true
            let payload = hasMore ? packet.data?.payload : nil
            return [
                .opened(WireOpened(payload: payload, heartbeat: heartbeat, session: packet.data?["sid"]?.string))
            ]
        }
        guard let id = joins.removeValue(forKey: topic) else { return [] }
        return [.joined(WireJoined(id: id, topic: topic, payload: packet.data?.payload))]
    }

    private mutating func attachment(_ bytes: Bytes, _ message: WebSocketMessage) throws(NetError) -> WireReading {
        if let packet = waiting {
            waiting = nil
            return WireReading([try signal(packet, SocketPayload(bytes: bytes), message)])
        }
        guard unread > 0 else { throw Self.unreadable(message, "it is binary but isn't an attachment") }
        unread -= 1
        return WireReading()
    }

    /// Returns the signal of an event or an acknowledgement, with its attachment if it has one.
    private func signal(
        _ packet: SocketIOPacket, _ attachment: SocketPayload?, _ message: WebSocketMessage
    ) throws(NetError) -> WireSignal {
        let arguments = try arguments(packet, message)
        let payload = attachment ?? SocketIOArguments.payload(arguments)
        let id = packet.id.map { SocketID.number($0) }
        if packet.kind == .acknowledgement || packet.kind == .binaryAcknowledgement {
            guard let id else { throw Self.unreadable(message, "its acknowledgement has no ID") }
            let failure = arguments.count == 1 ? arguments.first.flatMap(SocketIOFailure.read) : nil
            return .reply(
                WireReply(id: id, topic: packet.namespace, failure.map { .failure($0) } ?? .success(payload)))
        }
        guard let event = try? packet.data?.elements().first?.string else {
            throw Self.unreadable(message, "its event has no name")
        }
        if id == nil, role == .client {
            return .push(WirePush(event: event, payload: payload, topic: packet.namespace))
        }
        return .request(WireRequest(id: id, event: event, payload: payload, topic: packet.namespace))
    }

    /// Returns the arguments, without the name of an event.
    private func arguments(_ packet: SocketIOPacket, _ message: WebSocketMessage) throws(NetError) -> [JSONSlice] {
        guard let data = packet.data, data.isArray, let elements = try? data.elements() else {
            throw Self.unreadable(message, "it has no JSON array")
        }
        let isEvent = packet.kind == .event || packet.kind == .binaryEvent
        return Array(isEvent ? elements.dropFirst() : elements[...])
    }
}
