public import HTTPTypes
public import NetCore

/// What a stub answers.
///
///     let slow = StubResponse.text("hello").delayed(by: .seconds(2))
///     let broken = StubResponse.text("hello").dropping(.afterBodyBytes(3), form: .reset)
public struct StubResponse: Sendable {
    /// The status. Default 200.
    public var status: HTTPResponse.Status
    /// The fields; `Content-Length` or chunked framing is added where it is missing.
    public var headers: HTTPFields
    /// The body.
    public var body: StubBody
    /// Fields after the body: sent with chunked framing and on HTTP/2. Default none.
    public var trailers: HTTPFields?
    /// The pause before the head, on the clock of the transport or server. Default zero.
    public var delay: Duration
    /// The most body bytes per second, on the clock of the transport or server; see ``throttled(to:)``. Default nil: as
    /// fast as they are taken.
    public var bytesPerSecond: Int?
    /// What goes wrong. Default nil: nothing.
    public var fault: Fault?

    /// Makes a response.
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

    /// The same, after a pause.
    public func delayed(by delay: Duration) -> StubResponse {
        var copy = self
        copy.delay = delay
        return copy
    }

    /// The same, with something going wrong.
    public func faulting(_ fault: Fault) -> StubResponse {
        var copy = self
        copy.fault = fault
        return copy
    }

    /// The same, with the connection ended too early: ``Fault/drop(_:)`` in fewer words.
    public func dropping(_ point: ConnectionDrop.Point, form: ConnectionDrop.Form = .close) -> StubResponse {
        faulting(.drop(ConnectionDrop(point, form: form)))
    }

    /// Where the connection ends too early, if that is the fault.
    package var drop: ConnectionDrop? {
        if case .drop(let drop) = fault { drop } else { nil }
    }

    /// The same, with a field set.
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

    /// JSON as it is written.
    public static func json(text: String, status: HTTPResponse.Status = .ok) -> StubResponse {
        StubResponse(status: status, headers: [.contentType: "application/json"], body: .text(text))
    }

    /// Bytes as they are.
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

    /// Chunks with pauses; `length` nil sends them chunked on HTTP/1.1.
    public static func chunks(
        _ chunks: [StubChunk], contentType: String = "application/octet-stream", length: Int64? = nil
    ) -> StubResponse {
        StubResponse(headers: [.contentType: contentType], body: .chunks(chunks, length: length))
    }

    /// A connection that ends without an answer.
    public static func dropped(form: ConnectionDrop.Form = .close) -> StubResponse {
        StubResponse().dropping(.beforeHead, form: form)
    }
}
