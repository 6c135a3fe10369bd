public import NetCore

/// A server's error response to a JSON-RPC 2.0 call (section 5.1).
///
///     let rpc = JSONRPCClient("rpc", client: client)
///     do {
///         let sum = try await rpc.call("add", [1, 2], as: Int.self)
///         print(sum)
///     } catch {
///         if case .rejected(let refusal, _) = error, refusal.code == .methodNotFound { print("no such method") }
///     }
public struct JSONRPCError: Error, Sendable, Hashable, Codable {
    /// The kind of an error; an open set, because servers define their own.
    public struct Code: Sendable, Hashable, RawRepresentable, Codable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The server couldn't parse the request.
        public static let parseError = Code(rawValue: -32700)
        /// The message isn't a valid JSON-RPC request.
        public static let invalidRequest = Code(rawValue: -32600)
        /// The method doesn't exist.
        public static let methodNotFound = Code(rawValue: -32601)
        /// The parameters don't fit the method.
        public static let invalidParameters = Code(rawValue: -32602)
        /// The server failed.
        public static let internalError = Code(rawValue: -32603)

        public init(from decoder: any Decoder) throws {
            rawValue = try decoder.singleValueContainer().decode(Int.self)
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }
    }

    /// The kind of the error.
    public var code: Code
    /// The server's description of the error. Default empty.
    public var message: String
    /// Additional data from the server, in its own format; nil if there is none. It may contain secrets, so it's
    /// never printed.
    public var data: JSONValue?

    /// Creates an error, such as for a test.
    public init(code: Code, message: String = "", data: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(Code.self, forKey: .code)
        message = try container.decodeIfPresent(String.self, forKey: .message) ?? ""
        data = try container.decodeIfPresent(JSONValue.self, forKey: .data)
    }

    private enum CodingKeys: String, CodingKey { case code, message, data }
}

extension JSONRPCError: CustomStringConvertible, CustomReflectable {
    /// The code only, because the server's message may quote the request.
    public var description: String { "JSON-RPC error \(code.rawValue)" }
    public var customMirror: Mirror { Mirror(self, children: ["code": code.rawValue], displayStyle: .struct) }
}
