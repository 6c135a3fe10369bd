/// A message of Phoenix channels, whatever the version of the serializer.
struct PhoenixMessage: Sendable {
    /// The payload of a message, or the status and the response of a reply.
    enum Content: Sendable {
        case payload(SocketPayload?)
        case reply(status: String, SocketPayload?)
    }

    static let join = "phx_join"
    static let leave = "phx_leave"
    static let reply = "phx_reply"
    static let close = "phx_close"
    static let error = "phx_error"
    static let reserved: Set = [join, leave, reply, close, error]
    static let heartbeat = "heartbeat"
    /// The topic of heartbeats, which isn't a channel.
    static let system = "phoenix"

    var joinRef: SocketID?
    var ref: SocketID?
    var topic: String
    var event: String
    var content: Content

    init(joinRef: SocketID?, ref: SocketID?, topic: String, event: String, _ payload: SocketPayload?) {
        self.joinRef = joinRef
        self.ref = ref
        self.topic = topic
        self.event = event
        content = .payload(payload)
    }

    /// Creates a reply.
    init(joinRef: SocketID?, ref: SocketID?, topic: String, status: String, _ response: SocketPayload?) {
        self.init(joinRef: joinRef, ref: ref, topic: topic, event: Self.reply, nil)
        content = .reply(status: status, response)
    }

    /// The payload, or the response of a reply.
    var payload: SocketPayload? {
        switch content {
        case .payload(let payload): payload
        case .reply(_, let response): response
        }
    }

    // MARK: Writing

    /// Returns the message encoded by an end. Throws `.unsupported` for bytes if the version can't carry them.
    func written(_ version: PhoenixVersion, by role: WebSocketRole) throws(NetError) -> WebSocketMessage {
        if payload?.isBinary == true {
            guard version == .v2 else { throw version.unsupported("payloads that aren't JSON") }
            return .binary(try bytes(by: role))
        }
        var text = ""
        text.reserveCapacity(96 + topic.utf8.count + (payload?.count ?? 0))
        switch version {
        case .v2:
            text += "["
            text.appendReference(joinRef)
            text += ","
            text.appendReference(ref)
            text += ","
            text.appendJSON(topic)
            text += ","
            text.appendJSON(event)
            text += ","
            appendPayload(to: &text)
            text += "]"
        case .v1:
            text += "{"
            text.appendMember("topic", topic)
            text.appendMember("event", event)
            text.appendName("payload")
            appendPayload(to: &text)
            text.appendName("ref")
            text.appendReference(ref)
            if role == .client, let joinRef { text.appendMember("join_ref", joinRef) }
            text += "}"
        }
        return .text(text)
    }

    private func appendPayload(to text: inout String) {
        guard case .reply(let status, _) = content else {
            text += payload?.json ?? "{}"
            return
        }
        text += "{"
        text.appendMember("status", status)
        text.appendName("response")
        text += payload?.json ?? "{}"
        text += "}"
    }

    // MARK: Reading

    /// Parses a message at an end. Throws `.decoding` for a message that isn't valid in the version.
    init(_ message: WebSocketMessage, _ version: PhoenixVersion, at role: WebSocketRole) throws(NetError) {
        func unreadable(_ problem: String) -> NetError { SocketWire.unreadable(message, problem, by: version.name) }
        switch message {
        case .binary(let bytes):
            guard version == .v2 else { throw unreadable("it is binary") }
            guard let read = PhoenixMessage(bytes, at: role) else {
                throw unreadable("its header is incomplete or of another kind")
            }
            self = read
        case .text(let text):
            let parts: Parts
            do throws(JSONSlice.Problem) {
                let slice = try JSONSlice(text)
                parts = version == .v2 ? try Parts(elements: slice) : try Parts(members: slice)
            } catch {
                throw unreadable(error.text)
            }
            guard let topic = parts.topic?.string, let event = parts.event?.string else {
                throw unreadable("it has no topic and event as strings")
            }
            self.init(
                joinRef: parts.joinRef?.reference(at: role), ref: parts.ref?.reference(at: role), topic: topic,
                event: event,
                parts.payload?.payload)
            guard role == .client, event == Self.reply else { return }
            let members = (try? parts.payload?.members()) ?? []
            guard let status = members.first(where: { $0.name == "status" })?.value.string else {
                throw unreadable("its reply has no string \"status\"")
            }
            content = .reply(status: status, members.first { $0.name == "response" }?.value.payload)
        }
    }

    /// The five parts of a message.
    private struct Parts {
        var joinRef, ref, topic, event, payload: JSONSlice?

        /// Reads the parts of version 2. Additional elements are ignored, as in Phoenix.
        init(elements slice: JSONSlice) throws(JSONSlice.Problem) {
            let elements = try slice.elements()
            guard elements.count >= 5 else { throw .malformed }
            (joinRef, ref, topic, event, payload) = (elements[0], elements[1], elements[2], elements[3], elements[4])
        }

        /// Reads the parts of version 1.
        init(members slice: JSONSlice) throws(JSONSlice.Problem) {
            guard slice.isObject else { throw .malformed }
            for (name, value) in try slice.members() {
                switch name {
                case "join_ref": joinRef = joinRef ?? value
                case "ref": ref = ref ?? value
                case "topic": topic = topic ?? value
                case "event": event = event ?? value
                case "payload": payload = payload ?? value
                default: break
                }
            }
        }
    }
}

extension String {
    /// Appends a reference, or `null`.
    fileprivate mutating func appendReference(_ reference: SocketID?) {
        if let reference { appendJSON(reference) } else { append("null") }
    }
}

extension JSONSlice {
    /// The reference; nil for `null` and for values other than strings and numbers.
    fileprivate func reference(at role: WebSocketRole) -> SocketID? {
        isNull ? nil : role == .server ? clientID : id
    }
}
