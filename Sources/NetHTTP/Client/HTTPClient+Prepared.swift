public import NetCore

/// Requests that are already built, by ``HTTPClient/prepare(_:)`` or by hand.
///
/// Nothing is added to the request: neither the client's headers nor its modifiers. Middleware and redirects work as
/// usual.
///
///     var request = try client.prepare(GetUser(id: 7))
///     request.head.headerFields[.range] = "bytes=0-99"
///     let part = try await client.raw(prepared: request)
///     print(part.status, part.value.count)
extension HTTPClient {
    /// Sends a prepared request and returns its decoded response.
    ///
    /// Throws `.invalidRequest` if its URL isn't valid, `.unacceptableStatus` if the status doesn't pass the
    /// validation of its options, and the other errors of a call.
    @discardableResult
    public func send<Value: Sendable>(
        prepared request: PreparedRequest, as serializer: ResponseSerializer<Value>
    ) async throws(NetError) -> Value {
        try await response(prepared: request, as: serializer).value
    }

    /// Sends a prepared request and returns its decoded response with head and metrics. Throws like
    /// ``send(prepared:as:)``.
    public func response<Value: Sendable>(
        prepared request: PreparedRequest, as serializer: ResponseSerializer<Value>
    ) async throws(NetError) -> Response<Value> {
        let call = try begin(request, serializer, delivery: nil)
        do {
            return try await call.response()
        } catch {
            switch error {
            case .failed(let error): throw error
            }
        }
    }

    /// Sends a prepared request and returns the undecoded response, whatever its status.
    public func raw(prepared request: PreparedRequest) async throws(NetError) -> Response<Bytes> {
        var request = request
        request.options.validation = .any
        return try await response(prepared: request, as: .bytes)
    }

    /// Sends a prepared request and returns as soon as the head has arrived. Throws like ``send(prepared:as:)``.
    public func stream(prepared request: PreparedRequest) async throws(NetError) -> StreamedResponse {
        let call = try begin(request, ResponseSerializer.bytes, delivery: .streamed)
        do {
            return try await call.streamed()
        } catch {
            switch error {
            case .failed(let error): throw error
            }
        }
    }

    private func begin<Value: Sendable>(
        _ request: PreparedRequest, _ serializer: ResponseSerializer<Value>, delivery: BodyDelivery?
    ) throws(NetError) -> ClientCall<Request<Value>> {
        try check(request)
        return ClientCall(
            request, serializer: serializer, failureSerializer: nil, core: core, delivery: delivery,
            observers: delivery == .streamed ? [] : configuration.resultObservers)
    }

    /// Throws `.invalidRequest` if a prepared request can't be sent as it is, and reports it as a failed call.
    func check(_ request: PreparedRequest) throws(NetError) {
        do throws(NetError) {
            guard let path = request.head.path, path.isEmpty || path.hasPrefix("/") || path.hasPrefix("?") else {
                throw invalid(
                    "the path of the prepared request does not begin with a slash; write one, or let prepare(_:) build it"
                )
            }
            let (authority, place) = (request.head.authority, try BaseURL(request.url).authority)
            guard place == authority || "\(place):" == authority, !path.contains("#") else {
                throw invalid(
                    "the prepared request has no authority or path that could be sent; let prepare(_:) build it")
            }
        } catch {
            throw CallContext.fail(toSend: request, with: error, environment: core.environment)
        }
    }

    private func invalid(_ message: String) -> NetError {
        NetError(.invalidRequest, phase: .preparing, message: message)
    }
}
