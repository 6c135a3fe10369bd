internal import HTTPTypes
internal import NetClient
internal import NetCore

/// One HTTP call, from its chain to the end of its body: validates the status and decodes the response.
struct ClientCall<R: APIRequest>: Sendable {
    private let call: ChainCall
    private let coding: JSONCoding
    private let serializer: ResponseSerializer<R.Response>
    private let failureSerializer: ResponseSerializer<R.Failure>?
    /// The hooks for results, and the body passed to them; nil without hooks.
    private let observation: ResultObservation?

    private var context: CallContext { call.context }
    private var options: RequestOptions { call.request.options }

    /// Prepares and begins the call. With nil, the serializer determines the delivery, and the request's own progress
    /// observer is used.
    init(
        _ request: R, core: ClientCore, delivery: BodyDelivery?, progress: ProgressObserver?,
        observers: [any ResultObserver]
    ) throws(NetError) {
        var prepared: PreparedRequest
        do throws(NetError) {
            prepared = try core.prepareCall(request)
        } catch {
            let result = CallResult<R>(.failed(error), call: nil, metadata: request.options.metadata)
            for observer in observers { observer.received(result) }
            throw error
        }
        if let progress { prepared.options.progress = progress }
        self.init(
            prepared, serializer: request.serializer, failureSerializer: request.failureSerializer, core: core,
            delivery: delivery, observers: observers)
    }

    /// Begins a call with a prepared request.
    init(
        _ prepared: PreparedRequest, serializer: ResponseSerializer<R.Response>,
        failureSerializer: ResponseSerializer<R.Failure>?, core: ClientCore, delivery: BodyDelivery?,
        observers: [any ResultObserver]
    ) {
        coding = core.settings.coding
        observation = observers.isEmpty ? nil : ResultObservation(observers)
        self.serializer = serializer
        self.failureSerializer = failureSerializer
        let wanted: BodyDelivery =
            switch serializer.conversion {
            case .collected: .collected(upTo: prepared.options.maximumResponseBytes)
            case .streamed, .chosen: .streamed
            case .discarded:
                .drained(
                    keeping: failureSerializer == nil
                        ? RejectedResponse.streamedBytes
                        : min(RejectedResponse.discardedBytes, prepared.options.maximumResponseBytes))
            }
        call = core.begin(prepared, delivery: delivery ?? wanted)
    }

    /// Returns the decoded response.
    func value() async throws(APIError<R.Failure>) -> R.Response {
        if observation != nil { return try await response().value }
        return try await value(of: run())
    }

    /// Returns the decoded response with head, metrics and the call's identity. The URL is built and redacted only
    /// here, for callers that need it.
    func response() async throws(APIError<R.Failure>) -> Response<R.Response> {
        guard let observation else { return try await unobservedResponse() }
        let metadata = options.metadata
        do throws(APIError<R.Failure>) {
            let response = try await unobservedResponse()
            observation.tell(
                CallResult<R>(
                    .success(response.value), head: response.head, body: observation.body, call: context.summary,
                    metadata: metadata))
            return response
        } catch {
            observation.tell(CallResult<R>(error, call: context.summary, metadata: metadata))
            throw error
        }
    }

    private func unobservedResponse() async throws(APIError<R.Failure>) -> Response<R.Response> {
        let response = try await run()
        return Response(
            value: try await value(of: response), head: response.head, metrics: response.body.metrics,
            call: context.summary, attempts: context.call.attempts, request: call.request, trail: response.trail)
    }

    /// Validates the status and returns while the body is still arriving. The call ends with the body.
    func streamed() async throws(APIError<R.Failure>) -> StreamedResponse {
        let response = try await run()
        guard options.validation.isAcceptable(response.status.code) else {
            if call.endsWithCall { throw await reject(response) }
            throw try await lasting { (call) async throws(APIError<R.Failure>) -> APIError<R.Failure> in
                await call.reject(response)
            }
        }
        var streamed = observed(response)
        streamed.secrets = context.call.knownSecrets
        return streamed
    }

    /// Reads a body that's still arriving, for no longer than the call lasts.
    private func lasting<Value: Sendable>(
        _ body: @escaping @Sendable (ClientCall) async throws(APIError<R.Failure>) -> Value
    ) async throws(APIError<R.Failure>) -> Value {
        let result: Result<Value, APIError<R.Failure>>
        do throws(NetError) {
            result = try await call.lasting {
                do throws(APIError<R.Failure>) {
                    return .success(try await body(self))
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            throw .failed(error)
        }
        return try result.get()
    }

    /// Sends the request through the chain.
    private func run() async throws(APIError<R.Failure>) -> StreamedResponse {
        do throws(NetError) { return try await call.run() } catch { throw .failed(error) }
    }

    /// Validates the status and decodes the body, for no longer than the call lasts.
    private func value(of response: StreamedResponse) async throws(APIError<R.Failure>) -> R.Response {
        if call.endsWithCall || response.body.whole != nil { return try await decoded(response) }
        return try await lasting { (call) async throws(APIError<R.Failure>) -> R.Response in
            try await call.decoded(response)
        }
    }

    /// Validates the status and decodes the body.
    private func decoded(_ response: StreamedResponse) async throws(APIError<R.Failure>) -> R.Response {
        let head = response.head
        guard options.validation.isAcceptable(head.status.code) else {
            throw await reject(response)
        }
        // A serializer choice that throws does so again below, where the error includes the body.
        let serializer = (try? serializer.resolved(for: head)) ?? serializer
        if case .streamed(let convert) = serializer.conversion { return try self.convert(response, convert) }
        var bytes = Bytes()
        let count: Int64
        do throws(NetError) {
            if case .discarded = serializer.conversion {
                count = try await response.body.drain()
            } else {
                bytes = try await response.body.collect(upTo: options.maximumResponseBytes)
                count = Int64(bytes.count)
                observation?.keep(bytes)
            }
        } catch {
            throw fail(error.following(head))
        }
        let value = try decode(head, bytes) { try serializer.convert(head, bytes, serialization) }
        context.end(.completed(status: head.status.code, responseBytes: count))
        return value
    }

    /// Creates a value that reads the body itself: the call ends with the body, or if the value can't be created.
    private func convert(
        _ response: StreamedResponse,
        _ make: (ResponseHead, ResponseBody, SerializationContext) throws -> R.Response
    ) throws(APIError<R.Failure>) -> R.Response {
        let ending = StreamedCallEnd(bodyEnd(status: response.status.code))
        let body = self.ending(response) { ending.bodyEnded($0) }.decoding(with: coding)
        let value: R.Response
        do {
            value = try decode(response.head, Bytes()) { try make(response.head, body, serialization) }
        } catch {
            ending.conversionFailed()
            body.cancel()
            throw error
        }
        ending.converted()
        return value
    }

    private var serialization: SerializationContext { SerializationContext(coding: coding) }

    /// Returns the response with a body that ends the call.
    private func observed(_ response: StreamedResponse) -> StreamedResponse {
        var response = response
        response.body = ending(response, bodyEnd(status: response.status.code))
            .decoding(with: coding)
        return response
    }

    private func ending(
        _ response: StreamedResponse, _ end: @escaping @Sendable (BodyEnd) -> Void
    ) -> ResponseBody {
        // Doesn't use the returned body: a consumer that drops it ends the call.
        context.call.onEnd { [context, body = response.body] in
            body.cancel()
            do throws(NetError) { try context.checkEnd(.receiving) } catch { context.end(failure: error) }
        }
        let head = response.head
        return response.body.onEnd(filling: { [context] in context.explained($0.following(head)) }, end)
    }

    private func bodyEnd(status: Int) -> @Sendable (BodyEnd) -> Void {
        context.record(.responded(status: status))
        return { [context] end in
            switch end {
            case .finished(let bytes): context.end(.completed(status: status, responseBytes: bytes))
            case .failed(let error, _): context.end(failure: error)
            case .cancelled: context.end(.cancelled)
            }
        }
    }

    private func decode<Value>(
        _ head: ResponseHead, _ bytes: Bytes, _ convert: () throws -> Value
    ) throws(APIError<R.Failure>) -> Value {
        do {
            return try convert()
        } catch let error as NetError {
            throw fail(error)
        } catch is CancellationError {
            throw fail(
                context.error(.cancelled, phase: .decoding, message: "the call was cancelled while it was decoded"))
        } catch {
            throw fail(
                context.error(
                    .decoding, phase: .decoding,
                    message: "the response is not what \(R.self) expects: "
                        + DecodingFailure.describe(error, head: head, body: bytes),
                    underlying: error, response: .init(head: head, body: bytes)))
        }
    }

    /// Returns the error for an unacceptable status: the request's typed failure, else an error that holds the
    /// response.
    private func reject(_ response: StreamedResponse) async -> APIError<R.Failure> {
        if let error = response.remark?.error { return fail(error) }
        let (head, note) = (response.head, response.remark?.note)
        let (bytes, isWhole): (Bytes, Bool)
        do throws(NetError) {
            (bytes, isWhole) = try await response.body.beginning(upTo: rejectedLimit)
        } catch {
            return fail(error)
        }
        var underlying: (any Error)?
        if let failureSerializer {
            do {
                let failure = try failureSerializer.convert(head, bytes, serialization)
                context.end(.rejected(status: head.status.code, responseBytes: Int64(bytes.count)))
                return .rejected(failure, rejected(head, bytes, note))
            } catch is CancellationError {
                return fail(
                    context.error(.cancelled, phase: .decoding, message: "the call was cancelled while it was decoded"))
            } catch {
                underlying = error
            }
        }
        context.end(.rejected(status: head.status.code, responseBytes: Int64(bytes.count)))
        var message = "the server responded with status \(head.status.code), which this request does not accept"
        if let underlying, !(underlying is UndeclaredResponse) {
            message += "; its body can't be decoded as \(R.Failure.self): "
            message +=
                isWhole
                ? DecodingFailure.describe(underlying, head: head, body: bytes)
                : "only its first \(bytes.count) bytes were kept or received"
        }
        if let problem = ProblemDetails.clause(head, bytes) { message += "; it says: \(problem)" }
        if let note { message += "; \(note)" }
        return .failed(
            context.error(
                .unacceptableStatus, phase: .validating, message: message, underlying: underlying,
                response: .init(head: head, body: bytes)))
    }

    private func rejected(_ head: ResponseHead, _ bytes: Bytes, _ note: String?) -> RejectedResponse {
        RejectedResponse(
            head: head, body: bytes, call: context.summary, elapsed: context.elapsed, note: note)
    }

    private var rejectedLimit: Int {
        switch context.delivery {
        case .streamed: RejectedResponse.streamedBytes
        case .collected(let limit), .drained(let limit): limit
        }
    }

    private func fail(_ error: NetError) -> APIError<R.Failure> { .failed(call.fail(error)) }
}
