/// A decoded message of JSON-RPC, single or in a batch.
struct JSONRPCMessage {
    /// The meaning; nil for an invalid message.
    private(set) var signal: WireSignal?
    /// True if the message names a method, so that the sender waits for a response.
    private(set) var isRequest = false

    /// Parses a value. Throws only if it isn't JSON.
    init(_ value: JSONSlice, _ role: WebSocketRole) throws(JSONSlice.Problem) {
        var (version, method, params) = (JSONSlice?.none, JSONSlice?.none, JSONSlice?.none)
        var (result, error, id) = (JSONSlice?.none, JSONSlice?.none, JSONSlice?.none)
        for (name, value) in try value.members() {
            switch name {
            case "jsonrpc": version = version ?? value
            case "method": method = method ?? value
            case "params": params = params ?? value
            case "result": result = result ?? value
            case "error": error = error ?? value
            case "id": id = id ?? value
            default: break
            }
        }
        isRequest = method != nil
        guard version == nil || version?.string == "2.0" else { return }
        if let method {
            signal = Self.call(method, params?.nonNull, id, role)
        } else if error?.nonNull != nil || result != nil {
            signal = Self.reply(result, error?.nonNull, id)
        }
    }

    private static func call(
        _ method: JSONSlice, _ params: JSONSlice?, _ id: JSONSlice?, _ role: WebSocketRole
    ) -> WireSignal? {
        guard let event = method.string, params == nil || params?.isObject == true || params?.isArray == true else {
            return nil
        }
        guard let id else {
            return role == .client
                ? .push(WirePush(event: event, payload: params?.payload))
                : .request(WireRequest(event: event, payload: params?.payload))
        }
        guard let id = SocketID(jsonRPC: id) else { return nil }
        return .request(WireRequest(id: id, event: event, payload: params?.payload))
    }

    /// Reads a response. A response without an ID belongs to a request whose ID its receiver couldn't read.
    private static func reply(_ result: JSONSlice?, _ error: JSONSlice?, _ id: JSONSlice?) -> WireSignal? {
        guard let id = id.map({ SocketID(jsonRPC: $0) }) ?? (error == nil ? nil : "null") else { return nil }
        guard let error else { return .reply(WireReply(id: id, .success(result?.nonNull?.payload))) }
        let message = error["message"]?.string ?? error.string ?? ""
        let code = error["code"]?.scalarText ?? error["code"]?.string ?? "error"
        let data = error["data"]
        let coded = code == "-32000" ? SocketFailure(coded: data, message: message) : nil
        return .reply(
            WireReply(id: id, .failure(coded ?? SocketFailure(code, message, details: data?.nonNull?.payload))))
    }
}
