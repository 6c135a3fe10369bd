public import HTTPTypes
public import NetCore

/// A request type that a server can read and respond to; the option `stubs` of the generator adds the conformance.
public protocol ServableRequest: APIRequest {
    /// The method, and the path template of the document, such as `GET` and `/pets/{id}`.
    static var route: (method: String, path: String) { get }
    /// Reads a request. Throws if a required value is missing, or if a value isn't of its type.
    init(received: inout ReceivedRequest) throws
    /// Returns the response for a value; throws if the value can't be encoded.
    static func response(_ value: Response) throws -> ServerResponse
    /// Returns the response for a failure; throws if it can't be encoded.
    static func response(failure: Failure) throws -> ServerResponse
}

extension ServableRequest where Failure == Never {
    public static func response(failure: Never) throws -> ServerResponse {}
}

/// A server's response to one operation.
///
/// ```swift no-check
/// func readPet(_ request: ReadPetRequest) async throws -> ServerReply<ReadPetRequest> {
///     guard let pet = pets[request.id] else { return .failure(Problem(detail: "no such pet"), status: 404) }
///     return .success(pet, headers: [.eTag: pet.tag])
/// }
/// ```
public struct ServerReply<Operation: ServableRequest>: Sendable {
    private enum Content: Sendable {
        case success(Operation.Response)
        case failure(Operation.Failure)
        case other(ServerResponse)
    }

    private let content: Content
    private let status: Int?
    private let headers: HTTPFields

    /// A success.
    ///
    /// - Parameters:
    ///   - value: The response's value.
    ///   - status: The status code. Default nil: the one that the document declares for the value.
    ///   - headers: Further headers. Default none.
    public static func success(
        _ value: Operation.Response, status: Int? = nil, headers: HTTPFields = [:]
    ) -> ServerReply {
        ServerReply(content: .success(value), status: status, headers: headers)
    }

    /// A failure that the document declares.
    ///
    /// - Parameters:
    ///   - value: The failure's value.
    ///   - status: The status code. Default nil: the one that the document declares for the value, or 500 if it
    ///     declares only `default`.
    ///   - headers: Further headers. Default none.
    public static func failure(
        _ value: Operation.Failure, status: Int? = nil, headers: HTTPFields = [:]
    ) -> ServerReply {
        ServerReply(content: .failure(value), status: status, headers: headers)
    }

    /// Any other response: a stream, or one that the document doesn't declare.
    public static func other(_ response: ServerResponse) -> ServerReply {
        ServerReply(content: .other(response), status: nil, headers: [:])
    }

    func response() throws -> ServerResponse {
        var response =
            switch content {
            case .success(let value): try Operation.response(value)
            case .failure(let value): try Operation.response(failure: value)
            case .other(let response): response
            }
        if let status { response.status = status }
        for field in headers { response.headers[field.name] = nil }
        for field in headers { response.headers.append(field) }
        return response
    }
}

extension ServerReply where Operation.Response == Void {
    /// A success without a value.
    public static var success: ServerReply { .success(()) }
}

extension ServerReply: CustomReflectable {
    /// Only the status, because the value may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["status": status as Any], displayStyle: .struct) }
}
