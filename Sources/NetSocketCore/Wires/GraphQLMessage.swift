internal import NetCore

/// A message of the GraphQL wire protocols: an object with `type` and, depending on the type, `id` and `payload`.
struct GraphQLMessage {
    /// The code that the protocol demands after a message that isn't valid.
    static let unreadableCode = try? CloseFrameCode(4400)

    /// The name of the wire protocol, for errors.
    let name: String
    let type: String
    private let message: WebSocketMessage
    private let foundID: SocketID?
    private let foundPayload: JSONSlice?

    /// Parses a message at an end. Throws `.decoding`.
    init(_ message: WebSocketMessage, at role: WebSocketRole, by name: String) throws(NetError) {
        guard let text = message.text else {
            throw SocketWire.unreadable(message, "it is binary", by: name)
        }
        var (type, id, payload) = (String?.none, SocketID?.none, JSONSlice?.none)
        do throws(JSONSlice.Problem) {
            let slice = try JSONSlice(text)
            guard slice.isObject else { throw .malformed }
            for (name, value) in try slice.members() {
                switch name {
                case "type": type = type ?? value.string
                case "id": id = id ?? (role == .server ? value.nonNull?.clientID : value.nonNull?.id)
                case "payload": payload = payload ?? value
                default: break
                }
            }
        } catch {
            throw SocketWire.unreadable(message, error.text, by: name)
        }
        guard let type else {
            throw SocketWire.unreadable(message, "its object has no string \"type\"", by: name)
        }
        self.name = name
        self.type = type
        self.message = message
        foundID = id
        foundPayload = payload
    }

    /// The ID of the subscription. Throws `.decoding` if there is none.
    var id: SocketID {
        get throws(NetError) {
            guard let foundID else { throw unreadable("it has no ID") }
            return foundID
        }
    }

    /// The payload that a message of this type must have. Throws `.decoding` if there is none.
    var payload: SocketPayload {
        get throws(NetError) {
            guard let foundPayload else { throw unreadable("it has no payload") }
            return foundPayload.payload
        }
    }

    /// The payload that a message of this type may omit; nil for none and for `null`.
    var optionalPayload: JSONSlice? { foundPayload?.nonNull }

    /// The failure that the payload describes.
    var failure: SocketFailure { SocketFailure(graphQL: optionalPayload) }

    /// The error for a type that this end doesn't accept.
    var unexpected: NetError { unreadable("this side of a connection doesn't accept messages of its type") }

    private func unreadable(_ problem: String) -> NetError {
        SocketWire.unreadable(message, problem, by: name)
    }

    /// Encodes a message. Throws `.unsupported` for a payload of bytes.
    static func write(
        _ type: String, _ id: SocketID? = nil, _ payload: SocketPayload? = nil, by name: String
    ) throws(NetError) -> [WebSocketMessage] {
        var text = "{"
        text.reserveCapacity(64 + (payload?.count ?? 0))
        if let id { text.appendMember("id", id) }
        text.appendMember("type", type)
        if let payload {
            text.appendName("payload")
            text += try payload.json(by: name)
        }
        return [.text(text + "}")]
    }
}
