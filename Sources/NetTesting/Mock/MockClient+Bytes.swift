internal import HTTPTypes
public import NetCore

// The byte-level part of a mock: `stream`, `raw` and `prepare`.
extension MockClient {
    /// Responds to `stream` and `raw` for every request of a type; the most recent registration is used.
    ///
    /// `stream` validates the status according to the request's options; `raw` doesn't. An error thrown by `respond`
    /// becomes the call's error as in ``on(_:respond:)``.
    ///
    ///     struct Logo: APIRequest {
    ///         typealias Response = Bytes
    ///         var path: Path { "logo" }
    ///     }
    ///     let client = MockClient()
    ///     client.onBytes(Logo.self) { _ in
    ///         StreamedResponse(head: ResponseHead(status: .ok), body: ResponseBody(Bytes("png".utf8)))
    ///     }
    ///     let logo = try await client.raw(Logo())
    ///     print(logo.value.count)
    public func onBytes<R: APIRequest>(
        _ type: R.Type, respond: @escaping @Sendable (R) async throws -> StreamedResponse
    ) {
        register(raw: type, respond)
    }

    /// Returns the response of ``onBytes(_:respond:)``, or else of the client behind the mock; without either, throws
    /// `.unsupported`.
    public func stream<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> StreamedResponse {
        note(request)
        guard let answer = rawAnswer(to: request) else {
            if let client { return try await client.stream(request) }
            throw .failed(noBytes(request))
        }
        let response: StreamedResponse
        do {
            response = try await answer()
        } catch {
            throw Self.apiError(error, of: request)
        }
        let status = response.status.code
        guard request.options.validation.isAcceptable(status) else {
            throw .failed(
                NetError(
                    .unacceptableStatus, phase: .validating,
                    message: "the mock responded with \(status), which this request does not accept",
                    call: request.unsent(),
                    response: .init(head: response.head, body: response.body.whole ?? Bytes())))
        }
        return response
    }

    /// Returns the response of ``onBytes(_:respond:)``, or else of the client behind the mock; without either, throws
    /// `.unsupported`.
    public func raw<R: APIRequest>(_ request: R) async throws(NetError) -> Response<Bytes> {
        note(request)
        guard let answer = rawAnswer(to: request) else {
            if let client { return try await client.raw(request) }
            throw noBytes(request)
        }
        let response: StreamedResponse
        do {
            response = try await answer()
        } catch {
            throw Self.netError(error, of: request)
        }
        let bytes = try await response.body.collect(upTo: request.options.maximumResponseBytes)
        return Response(
            value: bytes, head: response.head, metrics: response.body.metrics, call: request.unsent())
    }

    /// Prepares a request as the client behind the mock would; without a client, with the base URL `http://mock.test`
    /// and no default headers.
    public func prepare<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest {
        if let client { return try client.prepare(request) }
        return try RequestBuilder(baseURL: "http://mock.test", defaultHeaders: [:], coding: .standard).prepare(request)
    }

    private func noBytes<R: APIRequest>(_ request: R) -> NetError {
        NetError(
            .unsupported, phase: .preparing,
            message:
                "the mock has no bytes for \(R.self); add client.onBytes(\(R.self).self) { … }, or give it a client "
                + "over a MockTransport", call: request.unsent())
    }
}
