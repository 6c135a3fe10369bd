internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a server says of a failure in `application/problem+json` (RFC 9457).
///
///     struct LowCredit: Decodable { let balance: Int, accounts: [String] }
///     do {
///         _ = try await client.send(GetUser(id: 7))
///     } catch {
///         if let problem = try error.problemDetails() {
///             print(problem.title ?? "", problem.detail ?? "", try problem.extensions(as: LowCredit.self).balance)
///         }
///     }
public struct ProblemDetails: Sendable, Hashable {
    /// Which kind of problem, as a URI. Default `about:blank`: no more than the status says. It may be relative.
    public var type: String
    /// The kind in a few words, always the same.
    public var title: String?
    /// The status that the server meant; a proxy may have sent another.
    public var status: Int?
    /// What went wrong this time.
    public var detail: String?
    /// Which occurrence, as a URI.
    public var instance: String?
    /// All other members.
    public var extensions: [String: JSONValue]

    /// Puts the parts together.
    public init(
        type: String = "about:blank", title: String? = nil, status: Int? = nil, detail: String? = nil,
        instance: String? = nil, extensions: [String: JSONValue] = [:]
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
        self.extensions = extensions
    }

    /// Reads the details of a response; nil where its type is none of RFC 9457's.
    ///
    /// Throws `.decoding` for a body that is no JSON object, and `.unsupported` for `application/problem+xml`.
    public init?(head: ResponseHead, body: Bytes) throws(NetError) {
        guard let type = head.receivedType?.essence else { return nil }
        if type == "application/problem+xml" {
            throw NetError(
                .unsupported, phase: .decoding,
                message:
                    "the problem details are XML, and only application/problem+json is read; ask for it with Accept",
                response: .init(head: head, body: body))
        }
        guard type == "application/problem+json" else { return nil }
        do {
            self = try JSONCoding.standard.decode(ProblemDetails.self, from: body)
        } catch {
            throw NetError(
                .decoding, phase: .decoding,
                message: "the problem details are not a JSON object: \(DecodingFailure.describe(error))",
                underlying: error, response: .init(head: head, body: body))
        }
    }

    /// The other members as a type of yours, read with ``JSONCoding/standard``. Throws what its decoding does.
    public func extensions<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONValue.object(extensions).decoded(as: type)
    }
}

extension ProblemDetails: Codable {
    /// A member of another type than it should have is passed over (RFC 9457 section 3.1).
    public init(from decoder: any Decoder) throws {
        var members = try [String: JSONValue](from: decoder)
        func text(_ name: String) -> String? { members.removeValue(forKey: name)?.stringValue }
        self.init()
        type = text("type") ?? type
        title = text("title")
        status = members.removeValue(forKey: "status")?.intValue
        detail = text("detail")
        instance = text("instance")
        extensions = members
    }

    public func encode(to encoder: any Encoder) throws {
        var members = extensions
        members["type"] = .string(type)
        members["title"] = title.map(JSONValue.string)
        members["status"] = status.map { .integer(Int64($0)) }
        members["detail"] = detail.map(JSONValue.string)
        members["instance"] = instance.map(JSONValue.string)
        try members.encode(to: encoder)
    }
}

extension NetError {
    /// What the server says of the failure (RFC 9457); nil where no such response came. Throws as
    /// ``ProblemDetails/init(head:body:)`` does; a body above 64 KiB was cut and reads no more.
    public func problemDetails() throws(NetError) -> ProblemDetails? {
        guard let response else { return nil }
        return try ProblemDetails(head: response.head, body: response.body)
    }
}

extension RejectedResponse {
    /// What the server says of the failure (RFC 9457); nil where it says nothing of the kind. Throws as
    /// ``ProblemDetails/init(head:body:)`` does.
    public func problemDetails() throws(NetError) -> ProblemDetails? {
        try ProblemDetails(head: head, body: body)
    }
}

extension APIError {
    /// What the server says of the failure (RFC 9457), declared failure or not. Throws as
    /// ``ProblemDetails/init(head:body:)`` does.
    public func problemDetails() throws(NetError) -> ProblemDetails? {
        switch self {
        case .rejected(_, let response): try response.problemDetails()
        case .failed(let error): try error.problemDetails()
        }
    }
}
