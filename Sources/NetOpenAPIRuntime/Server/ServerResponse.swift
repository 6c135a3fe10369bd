public import HTTPTypes
public import NetCore

/// A response that a server is about to send, as a value.
///
///     let response = ServerResponse(
///         status: 200, headers: [.contentType: "text/plain"], body: ResponseBody(Bytes("hello".utf8)))
public struct ServerResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The headers. `Content-Length` is added by the code that sends the response.
    public var headers: HTTPFields
    /// The body: complete, or a stream whose chunks are requested while they are sent.
    public var body: ResponseBody

    /// Creates a response. Default: no headers, an empty body.
    public init(status: Int, headers: HTTPFields = [:], body: ResponseBody = ResponseBody()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response with a value as JSON. Throws `EncodingError` if it can't be encoded.
    public static func json(
        _ value: some Encodable, status: Int = 200, contentType: String = "application/json"
    ) throws -> ServerResponse {
        let bytes = try Charset.encode(json: JSONCoding.standard.encode(value), contentType: contentType)
        return ServerResponse(status: status, headers: [.contentType: contentType], body: ResponseBody(bytes))
    }

    /// Creates a response with a text. Throws `NetError` if the charset of the media type can't represent one of its
    /// characters.
    public static func text(
        _ text: String, status: Int = 200, contentType: String = "text/plain; charset=utf-8"
    ) throws -> ServerResponse {
        let bytes = Charset.ofContentType(contentType).encode(text)
        guard let bytes else {
            throw NetError(
                .encoding, phase: .preparing, message: "the text has a character that its charset can't represent")
        }
        return ServerResponse(status: status, headers: [.contentType: contentType], body: ResponseBody(bytes))
    }

    /// Creates a response with bytes.
    public static func data(
        _ bytes: some Collection<UInt8>, status: Int = 200, contentType: String = "application/octet-stream"
    ) -> ServerResponse {
        ServerResponse(status: status, headers: [.contentType: contentType], body: ResponseBody(Bytes(bytes)))
    }

    /// Creates a response without content.
    public static func empty(status: Int = 204) -> ServerResponse { ServerResponse(status: status) }

    /// Creates problem details (RFC 9457): the status, and a sentence for people.
    public static func problem(status: Int, detail: String) -> ServerResponse {
        let problem = ["status": JSONValue.integer(Int64(status)), "detail": .string(detail)]
        let bytes = (try? JSONCoding.standard.encode(problem)) ?? Bytes()
        return ServerResponse(
            status: status, headers: [.contentType: "application/problem+json"], body: ResponseBody(bytes))
    }
}

extension Charset {
    /// The charset that a media type names; UTF-8 if it names none, or one that isn't known.
    static func ofContentType(_ text: String?) -> Charset {
        text.flatMap { MediaType($0) }?["charset"].flatMap { Charset(name: $0) } ?? .utf8
    }
}

extension ServerResponse: CustomReflectable {
    /// The status and the headers without secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["status": status, "headers": Printed.headers(headers)], displayStyle: .struct)
    }
}
