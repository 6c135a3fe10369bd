public import HTTPTypes
public import NetCore
internal import Synchronization

/// A client for JSON-RPC 2.0 over HTTP: each call is a POST to one path.
///
///     let rpc = JSONRPCClient("rpc", client: client)
///     let sum = try await rpc.call("add", [1, 2], as: Int.self)
///     try await rpc.notify("log", ["text": "\(sum)"])
///
/// A POST isn't repeated after a lost connection, since the method may have run; ``options`` may allow it.
public struct JSONRPCClient: Sendable {
    /// Shared by the copies, so that no two requests have the same ID.
    private final class Counter: Sendable {
        private let last = Atomic<Int64>(0)

        func next() -> JSONRPCID { .number(last.add(1, ordering: .relaxed).newValue) }
    }

    /// The path of the endpoint, relative to the client's base URL.
    public let path: Path
    /// The client that sends the requests.
    public let client: any APIClient
    /// The headers of each request. Default none.
    public var headers: HTTPFields
    /// The options of each request. Default ``NetCore/RequestOptions/init()``.
    public var options: RequestOptions
    private let counter = Counter()

    /// Creates a client for an endpoint.
    public init(
        _ path: Path = "", client: any APIClient, headers: HTTPFields = [:], options: RequestOptions = RequestOptions()
    ) {
        self.path = path
        self.client = client
        self.headers = headers
        self.options = options
    }

    /// Calls a method and returns its result.
    ///
    /// Throws `.rejected` with the server's error, regardless of the response's status, and `.failed` for everything
    /// else: `.decoding` if the result isn't a `Value` or the body isn't JSON-RPC, and `.protocolViolation` if the
    /// response belongs to another request.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - parameters: The parameters: an array by position, or an object by name.
    ///   - type: The type of the result.
    public func call<Value: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable & Sendable, as type: Value.Type = Value.self
    ) async throws(APIError<JSONRPCError>) -> Value {
        try await call(method, parameters: parameters)
    }

    /// Calls a method without parameters and returns its result; throws like ``call(_:_:as:)``.
    public func call<Value: Decodable & Sendable>(
        _ method: String, as type: Value.Type = Value.self
    ) async throws(APIError<JSONRPCError>) -> Value {
        try await call(method, parameters: nil)
    }

    /// Sends a notification, which has no response. Throws only if the server can't be reached or rejects the request
    /// itself.
    public func notify(
        _ method: String, _ parameters: (some Encodable & Sendable)? = [String]?.none
    ) async throws(APIError<JSONRPCError>) {
        let message = JSONRPCOutgoing(method: method, parameters: parameters, id: nil)
        _ = try await post(.json(message), named: method, serializer: ResponseSerializer<Void>.discard)
    }

    /// Sends several requests together, and returns their results, which may arrive in any order.
    ///
    ///     let rpc = JSONRPCClient("rpc", client: client)
    ///     var batch = JSONRPCBatch()
    ///     let sum = batch.call("add", [1, 2], as: Int.self)
    ///     let name = batch.call("whoami", as: String.self)
    ///     batch.notify("log", ["text": "both"])
    ///     let results = try await rpc.send(batch)
    ///     print(try results.value(of: sum), try results.value(of: name))
    ///
    /// An empty batch sends nothing. Throws `.rejected` if the server refuses the batch as a whole.
    public func send(_ batch: JSONRPCBatch) async throws(APIError<JSONRPCError>) -> JSONRPCResults {
        guard !batch.messages.isEmpty else { return JSONRPCResults(answers: [:], coding: .standard) }
        guard batch.hasCalls else {
            _ = try await post(.json(batch.messages), named: "batch", serializer: ResponseSerializer<Void>.discard)
            return JSONRPCResults(answers: [:], coding: .standard)
        }
        let response = try await post(
            .json(batch.messages), named: "batch", serializer: ResponseSerializer<JSONRPCBatchResponse>.json())
        switch response.value {
        case .refused(let error): throw .rejected(error, Self.rejected(response))
        case .answers(let answers): return JSONRPCResults(answers: answers, coding: .standard)
        }
    }

    private func call<Value: Decodable & Sendable>(
        _ method: String, parameters: (any Encodable & Sendable)?
    ) async throws(APIError<JSONRPCError>) -> Value {
        let id = counter.next()
        let message = JSONRPCOutgoing(method: method, parameters: parameters, id: id)
        let response = try await post(
            .json(message), named: method, serializer: ResponseSerializer<JSONRPCResult<Value>>.json())
        switch response.value.outcome {
        case .failure(let error): throw .rejected(error, Self.rejected(response))
        case .success(let value):
            guard response.value.id == id else {
                throw .failed(
                    NetError(
                        .protocolViolation, phase: .validating,
                        message: "the JSON-RPC response belongs to another request", call: response.call))
            }
            return value
        }
    }

    private func post<Value: Sendable>(
        _ body: RequestBody, named name: String, serializer: ResponseSerializer<Value>
    ) async throws(APIError<JSONRPCError>) -> Response<Value> {
        let request = JSONRPCPost(
            path: path, headers: headers, body: body, options: options, name: name, serializer: serializer)
        do throws(APIError<JSONRPCRefusal>) {
            return try await client.response(request)
        } catch {
            switch error {
            case .rejected(let refusal, let response): throw .rejected(refusal.error, response)
            case .failed(let error): throw .failed(error)
            }
        }
    }

    private static func rejected<Value>(_ response: Response<Value>) -> RejectedResponse {
        RejectedResponse(head: response.head, call: response.call)
    }
}

extension JSONRPCClient: CustomStringConvertible, CustomReflectable {
    /// The path.
    public var description: String { "JSON-RPC at \(path.encoded)" }
    public var customMirror: Mirror { Mirror(self, children: ["path": path.encoded], displayStyle: .struct) }
}

/// The request of a call, a notification or a batch.
private struct JSONRPCPost<Response: Sendable>: APIRequest {
    typealias Failure = JSONRPCRefusal

    let path: Path
    let headers: HTTPFields
    let body: RequestBody
    private let given: RequestOptions
    private let name: String
    let serializer: ResponseSerializer<Response>

    init(
        path: Path, headers: HTTPFields, body: RequestBody, options: RequestOptions, name: String,
        serializer: ResponseSerializer<Response>
    ) {
        self.path = path
        self.headers = headers
        self.body = body
        self.given = options
        self.name = name
        self.serializer = serializer
    }

    var method: HTTPRequest.Method { .post }

    var options: RequestOptions {
        var options = given
        if options.metadata.name == nil { options.metadata.name = name }
        return options
    }
}

/// The response to one call.
struct JSONRPCResult<Value: Decodable & Sendable>: Decodable, Sendable {
    let id: JSONRPCID?
    let outcome: Result<Value, JSONRPCError>

    private enum CodingKeys: String, CodingKey {
        case version = "jsonrpc"
        case id, result, error
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(String.self, forKey: .version) == "2.0" else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container, debugDescription: "not a response of JSON-RPC 2.0")
        }
        id = try container.decodeIfPresent(JSONRPCID.self, forKey: .id)
        if let error = try container.decodeIfPresent(JSONRPCError.self, forKey: .error) {
            outcome = .failure(error)
        } else {
            outcome = .success(try container.decode(Value.self, forKey: .result))
        }
    }
}
