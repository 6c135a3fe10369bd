public import HTTPTypes
public import NetCore

/// The response of a stub.
///
///     let slow = StubResponse.text("hello").delayed(by: .seconds(2))
///     let broken = StubResponse.text("hello").dropping(.afterBodyBytes(3), form: .reset)
public struct StubResponse: Sendable {
    /// The status. Default 200.
    public var status: HTTPResponse.Status
    /// The header fields; `Content-Length` or chunked framing is added if missing.
    public var headers: HTTPFields
    /// The body.
    public var body: StubBody
    /// The trailer fields, sent with chunked framing and on HTTP/2. Default nil.
    public var trailers: HTTPFields?
    /// The pause before the head, on the clock of the transport or server. Default zero.
    public var delay: Duration
    /// The maximum number of body bytes per second, on the clock of the transport or server; see ``throttled(to:)``.
    /// Default nil: no limit.
    public var bytesPerSecond: Int?
    /// The fault of the response. Default nil.
    public var fault: Fault?

    /// Creates a response.
    public init(
        status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: StubBody = .empty,
        trailers: HTTPFields? = nil, delay: Duration = .zero, fault: Fault? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.trailers = trailers
        self.delay = delay
        self.fault = fault
    }

    /// Returns a copy that is sent after a pause.
    public func delayed(by delay: Duration) -> StubResponse {
        var copy = self
        copy.delay = delay
        return copy
    }

    /// Returns a copy with a fault.
    public func faulting(_ fault: Fault) -> StubResponse {
        var copy = self
        copy.fault = fault
        return copy
    }

    /// Returns a copy whose connection ends prematurely: a short form of ``Fault/drop(_:)``.
    public func dropping(_ point: ConnectionDrop.Point, form: ConnectionDrop.Form = .close) -> StubResponse {
        faulting(.drop(ConnectionDrop(point, form: form)))
    }

    /// The premature end of the connection, if that is the fault.
    package var drop: ConnectionDrop? {
        if case .drop(let drop) = fault { drop } else { nil }
    }

    /// Returns a copy with a header field set.
    public func header(_ name: HTTPField.Name, _ value: String) -> StubResponse {
        var copy = self
        copy.headers[name] = value
        return copy
    }
}

extension StubResponse {
    /// A status without a body.
    public static func status(_ status: HTTPResponse.Status) -> StubResponse { StubResponse(status: status) }

    /// UTF-8 text.
    public static func text(_ text: String, status: HTTPResponse.Status = .ok) -> StubResponse {
        StubResponse(status: status, headers: [.contentType: "text/plain; charset=utf-8"], body: .text(text))
    }

    /// A value as JSON.
    public static func json(
        _ value: some Encodable & Sendable, status: HTTPResponse.Status = .ok, coding: JSONCoding = .standard
    ) -> StubResponse {
        StubResponse(status: status, headers: [.contentType: "application/json"], body: .json(value, coding: coding))
    }

    /// JSON text, sent unchanged.
    public static func json(text: String, status: HTTPResponse.Status = .ok) -> StubResponse {
        StubResponse(status: status, headers: [.contentType: "application/json"], body: .text(text))
    }

    /// Bytes, sent unchanged.
    public static func bytes(
        _ bytes: some Collection<UInt8>, contentType: String = "application/octet-stream",
        status: HTTPResponse.Status = .ok
    ) -> StubResponse {
        StubResponse(status: status, headers: [.contentType: contentType], body: .bytes(bytes))
    }

    /// The content of a file.
    public static func file(_ path: String, contentType: String = "application/octet-stream") -> StubResponse {
        StubResponse(headers: [.contentType: contentType], body: .file(path))
    }

    /// Chunks with pauses. If `length` is nil, they are sent with chunked framing on HTTP/1.1.
    public static func chunks(
        _ chunks: [StubChunk], contentType: String = "application/octet-stream", length: Int64? = nil
    ) -> StubResponse {
        StubResponse(headers: [.contentType: contentType], body: .chunks(chunks, length: length))
    }

    /// A connection that ends without a response.
    public static func dropped(form: ConnectionDrop.Form = .close) -> StubResponse {
        StubResponse().dropping(.beforeHead, form: form)
    }
}
