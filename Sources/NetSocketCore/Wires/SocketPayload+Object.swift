internal import NetCore

extension SocketPayload {
    /// Returns the JSON text for a wire without binary payloads. Throws `.unsupported` for bytes.
    func json(by name: String) throws(NetError) -> String {
        guard let json else { throw SocketWire.unsupported("payloads that aren't JSON", by: name) }
        return json
    }

    /// Returns the payload, which must be an object, with an additional member, unless it already has a member with
    /// that name; for a nil payload, an object with only that member. Throws `.encoding` for a payload that isn't an
    /// object.
    static func object(
        _ payload: SocketPayload?, adding member: String, _ value: String, by name: String
    ) throws(NetError) -> SocketPayload {
        let object = try payload.map { payload throws(NetError) in try JSONSlice(object: payload, by: name) }
        var text = "{"
        if object?[member] == nil {
            text.appendName(member)
            text += value
        }
        guard let object else { return SocketPayload(json: text + "}") }
        guard text.utf8.count > 1 else { return object.payload }
        let rest = object.payload.json?.dropFirst() ?? "}"
        return SocketPayload(json: text + ((try? object.members())?.isEmpty == false ? "," : "") + rest)
    }
}

extension JSONSlice {
    /// Parses a payload that a wire writes as an object. Throws `.encoding` for a payload that isn't an object.
    init(object payload: SocketPayload, by name: String) throws(NetError) {
        let text = try payload.json(by: name)
        guard let slice = try? JSONSlice(text), slice.isObject else {
            throw SocketWire.unwritable("the payload must be a JSON object", by: name)
        }
        self = slice
    }

    /// The first member with a name; nil if there is none, and for another kind.
    subscript(name: String) -> JSONSlice? { (try? members())?.first { $0.name == name }?.value }

    /// The value; nil for `null`.
    var nonNull: JSONSlice? { isNull ? nil : self }
}
