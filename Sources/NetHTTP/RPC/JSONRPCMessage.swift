internal import NetCore

/// An outgoing JSON-RPC request or notification.
struct JSONRPCOutgoing: Encodable, Sendable {
    let method: String
    let parameters: (any Encodable & Sendable)?
    /// Nil for a notification.
    let id: JSONRPCID?

    private enum CodingKeys: String, CodingKey {
        case version = "jsonrpc"
        case method
        case parameters = "params"
        case id
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("2.0", forKey: .version)
        try container.encode(method, forKey: .method)
        if let parameters { try container.encode(parameters, forKey: .parameters) }
        try container.encodeIfPresent(id, forKey: .id)
    }
}

/// The response to a request from the server.
struct JSONRPCAnswer: Encodable, Sendable {
    let id: JSONRPCID
    let result: JSONValue?
    let error: JSONRPCError?

    private enum CodingKeys: String, CodingKey {
        case version = "jsonrpc"
        case id, result, error
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("2.0", forKey: .version)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(result, forKey: .result)
        try container.encodeIfPresent(error, forKey: .error)
    }
}

/// An incoming JSON-RPC message: a response, or a request or notification from the server.
struct JSONRPCIncoming: Decodable, Sendable {
    let id: JSONRPCID?
    let method: String?
    let parameters: JSONValue?
    let result: JSONValue?
    let error: JSONRPCError?

    private enum CodingKeys: String, CodingKey {
        case version = "jsonrpc"
        case id, method, result, error
        case parameters = "params"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(String.self, forKey: .version)
        guard version == "2.0" else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container, debugDescription: "not a message of JSON-RPC 2.0")
        }
        id = try container.decodeIfPresent(JSONRPCID.self, forKey: .id)
        method = try container.decodeIfPresent(String.self, forKey: .method)
        parameters = try container.decodeIfPresent(JSONValue.self, forKey: .parameters)
        error = try container.decodeIfPresent(JSONRPCError.self, forKey: .error)
        // A result may be null, which isn't the same as a missing result.
        result = container.contains(.result) ? try container.decode(JSONValue.self, forKey: .result) : nil
        guard error != nil || method != nil || container.contains(.result) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "the message has neither a result, an error nor a method"))
        }
    }

    /// True if the message is a response to a request.
    var isResponse: Bool { method == nil }
}

/// The body of a response with a status that isn't a success.
struct JSONRPCRefusal: Decodable, Sendable {
    let error: JSONRPCError
}
