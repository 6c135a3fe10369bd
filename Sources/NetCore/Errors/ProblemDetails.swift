internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A server's description of a failure, from `application/problem+json` (RFC 9457).
///
///     struct LowCredit: Decodable { let balance: Int, accounts: [String] }
///     do {
///         try await client.send(GetUser(id: 7))
///     } catch {
///         if let problem = try error.problemDetails() {
///             print(problem.title ?? "", problem.detail ?? "", try problem.extensions(as: LowCredit.self).balance)
///         }
///     }
public struct ProblemDetails: Sendable, Hashable {
    /// The type of the problem as a URI, which may be relative. Default `about:blank`: it adds no information to the
    /// status.
    public var type: String
    /// A short summary of the type, the same for each occurrence.
    public var title: String?
    /// The status that the server intended; a proxy may have sent a different one.
    public var status: Int?
    /// An explanation of this occurrence.
    public var detail: String?
    /// A URI that identifies this occurrence.
    public var instance: String?
    /// All other members.
    public var extensions: [String: JSONValue]

    /// Creates problem details.
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

    /// Reads the details of a response; nil if its media type isn't defined by RFC 9457.
    ///
    /// Throws `.decoding` if the body isn't a JSON object, and `.unsupported` for `application/problem+xml`.
    public init?(head: ResponseHead, body: Bytes) throws(NetError) {
        guard let type = head.receivedType?.essence else { return nil }
        if type == "application/problem+xml" {
            throw NetError(
                .unsupported, phase: .decoding,
                message:
                    "the problem details are XML, and only application/problem+json is supported; request it with "
                    + "Accept",
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

    /// Returns ``extensions`` as a custom type, decoded with ``JSONCoding/standard``. Throws the decoding errors of
    /// that type.
    public func extensions<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONValue.object(extensions).decoded(as: type)
    }
}

extension ProblemDetails: Codable {
    /// Members of an unexpected type are skipped (RFC 9457 section 3.1).
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

extension ProblemDetails {
    /// Returns the title and the detail of a response's problem in one line of at most 300 characters; nil if it has
    /// neither.
    package static func clause(_ head: ResponseHead, _ body: Bytes) -> String? {
        guard let problem = try? ProblemDetails(head: head, body: body) else { return nil }
        let text = [problem.title, problem.detail].compactMap(\.self).joined(separator: ": ")
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !line.isEmpty else { return nil }
        return line.count > 300 ? line.prefix(299) + "…" : line
    }
}

extension NetError {
    /// Returns the server's description of the failure (RFC 9457); nil if there was no such response. Throws like
    /// ``ProblemDetails/init(head:body:)``; a body larger than 64 KiB was truncated and can't be read.
    public func problemDetails() throws(NetError) -> ProblemDetails? {
        guard let response else { return nil }
        return try ProblemDetails(head: response.head, body: response.body)
    }
}

extension RejectedResponse {
    /// Returns the server's description of the failure (RFC 9457); nil if the response has none. Throws like
    /// ``ProblemDetails/init(head:body:)``.
    public func problemDetails() throws(NetError) -> ProblemDetails? {
        try ProblemDetails(head: head, body: body)
    }
}

extension APIError {
    /// Returns the server's description of the failure (RFC 9457), whether the failure is declared or not; nil if there
    /// is none. Throws like ``ProblemDetails/init(head:body:)``.
    public func problemDetails() throws(NetError) -> ProblemDetails? {
        switch self {
        case .rejected(_, let response): try response.problemDetails()
        case .failed(let error): try error.problemDetails()
        }
    }
}
