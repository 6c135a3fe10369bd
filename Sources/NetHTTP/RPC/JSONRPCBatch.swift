internal import NetCore

/// JSON-RPC requests that are sent together (section 6); see ``JSONRPCClient/send(_:)``.
///
///     var batch = JSONRPCBatch()
///     let sum = batch.call("add", [1, 2], as: Int.self)
///     let results = try await JSONRPCClient("rpc", client: client).send(batch)
///     print(try results.value(of: sum))
public struct JSONRPCBatch: Sendable {
    /// Identifies a call's result in ``JSONRPCResults``.
    public struct Handle<Value: Decodable & Sendable>: Sendable {
        let id: JSONRPCID
    }

    private(set) var messages: [JSONRPCOutgoing] = []
    private(set) var hasCalls = false

    /// Creates an empty batch.
    public init() {}

    /// Adds a call; pass the handle to ``JSONRPCResults/value(of:)``.
    public mutating func call<Value: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable & Sendable, as type: Value.Type = Value.self
    ) -> Handle<Value> {
        add(method, parameters)
    }

    /// Adds a call without parameters; pass the handle to ``JSONRPCResults/value(of:)``.
    public mutating func call<Value: Decodable & Sendable>(
        _ method: String, as type: Value.Type = Value.self
    ) -> Handle<Value> {
        add(method, nil)
    }

    /// Adds a notification, which has no result.
    public mutating func notify(_ method: String, _ parameters: (some Encodable & Sendable)? = [String]?.none) {
        messages.append(JSONRPCOutgoing(method: method, parameters: parameters, id: nil))
    }

    private mutating func add<Value: Decodable & Sendable>(
        _ method: String, _ parameters: (any Encodable & Sendable)?
    ) -> Handle<Value> {
        // IDs are compared only within a response.
        let id = JSONRPCID.number(Int64(messages.count + 1))
        messages.append(JSONRPCOutgoing(method: method, parameters: parameters, id: id))
        hasCalls = true
        return Handle(id: id)
    }
}

extension JSONRPCBatch: CustomStringConvertible, CustomReflectable {
    /// The number of requests.
    public var description: String { "\(messages.count) JSON-RPC requests" }
    public var customMirror: Mirror { Mirror(self, children: ["requests": messages.count], displayStyle: .struct) }
}

/// The results of a batch, each found by its handle.
///
///     var batch = JSONRPCBatch()
///     let broken = batch.call("divide", [1, 0], as: Int.self)
///     let results = try await JSONRPCClient("rpc", client: client).send(batch)
///     do {
///         print(try results.value(of: broken))
///     } catch let error as JSONRPCError {
///         print(error.code.rawValue)
///     }
public struct JSONRPCResults: Sendable {
    let answers: [JSONRPCID: Result<JSONValue, JSONRPCError>]
    let coding: JSONCoding

    /// Returns the result of a call. Throws its ``JSONRPCError``, and a `NetError`: `.decoding` if the result isn't a
    /// `Value`, `.protocolViolation` if the server sent none.
    public func value<Value>(of call: JSONRPCBatch.Handle<Value>) throws -> Value {
        guard let answer = answers[call.id] else {
            throw NetError(
                .protocolViolation, phase: .validating, message: "the server sent no response to a call of the batch")
        }
        let value = try answer.get()
        do {
            return try value.decoded(as: Value.self, coding: coding)
        } catch {
            throw NetError(
                .decoding, phase: .decoding,
                message: "a result isn't a \(Value.self): " + DecodingFailure.describe(error), underlying: error)
        }
    }
}

extension JSONRPCResults: CustomStringConvertible, CustomReflectable {
    /// The number of results.
    public var description: String { "\(answers.count) JSON-RPC results" }
    public var customMirror: Mirror { Mirror(self, children: ["results": answers.count], displayStyle: .struct) }
}

/// The response to a batch: an array, or one error for the whole.
enum JSONRPCBatchResponse: Decodable, Sendable {
    case answers([JSONRPCID: Result<JSONValue, JSONRPCError>])
    case refused(JSONRPCError)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let list = try? container.decode([JSONRPCResult<JSONValue>].self) else {
            self = .refused(try container.decode(JSONRPCRefusal.self).error)
            return
        }
        var answers: [JSONRPCID: Result<JSONValue, JSONRPCError>] = [:]
        for answer in list {
            guard let id = answer.id else { continue }
            answers[id] = answer.outcome
        }
        self = .answers(answers)
    }
}
