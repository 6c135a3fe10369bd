internal import HTTPTypes
internal import NetCore

/// One call from its preparation to the end of its body: the only path a request takes.
struct Call<R: APIRequest>: Sendable {
    private let core: ClientCore
    private let prepared: PreparedRequest
    private let context: CallContext
    private let serializer: ResponseSerializer<R.Response>
    private let failureSerializer: ResponseSerializer<R.Failure>?

    /// How much of an answer that is not accepted is read from a stream.
    private static var failureLimit: Int { 64 << 10 }

    /// Prepares and begins the call; `delivery` nil takes what the serializer wants, `progress` nil the request's own.
    init(_ request: R, core: ClientCore, delivery: BodyDelivery?, progress: ProgressObserver?) throws(NetError) {
        var prepared = try core.prepare(request)
        if let progress { prepared.options.progress = progress }
        self.init(
            prepared, serializer: request.serializer, failureSerializer: request.failureSerializer, core: core,
            delivery: delivery)
    }

    /// Begins a call that is prepared already.
    init(
        _ prepared: PreparedRequest, serializer: ResponseSerializer<R.Response>,
        failureSerializer: ResponseSerializer<R.Failure>?, core: ClientCore, delivery: BodyDelivery?
    ) {
        self.core = core
        self.prepared = prepared
        self.serializer = serializer
        self.failureSerializer = failureSerializer
        let wanted: BodyDelivery =
            switch serializer.conversion {
            case .collected: .collected(upTo: prepared.options.maximumResponseBytes)
            case .streamed: .streamed
            }
        context = CallContext(
            for: prepared, delivery: delivery ?? wanted,
            timeouts: prepared.options.timeouts ?? core.configuration.timeouts, environment: core.environment)
        core.begin(context, prepared)
    }

    /// Sends the request through the chain.
    func run() async throws(APIError<R.Failure>) -> StreamedResponse {
        do {
            return try await core.chain(for: prepared.options).run(prepared, context)
        } catch {
            throw fail(error)
        }
    }

    /// Validates and decodes the answer.
    func finish(_ response: StreamedResponse) async throws(APIError<R.Failure>) -> Response<R.Response> {
        let head = response.head
        guard prepared.options.validation.isAcceptable(head.status.code) else {
            throw await reject(response)
        }
        if case .streamed(let convert) = serializer.conversion {
            let handed = observed(response)
            let value = try decode(head, Bytes()) { try convert(head, handed.body, serialization) }
            return Response(
                value: value, head: head, call: context.summary, request: prepared, trail: response.trail)
        }
        let bytes: Bytes
        do {
            bytes = try await response.body.collect(upTo: prepared.options.maximumResponseBytes)
        } catch {
            throw fail(error)
        }
        let value = try decode(head, bytes) { try serializer.convert(head, bytes, serialization) }
        core.end(context, .completed(status: head.status.code, responseBytes: Int64(bytes.count)))
        return Response(
            value: value, head: head, metrics: response.body.metrics, call: context.summary, request: prepared,
            trail: response.trail)
    }

    /// Validates the answer and hands it over while its body still arrives.
    func hand(over response: StreamedResponse) async throws(APIError<R.Failure>) -> StreamedResponse {
        guard prepared.options.validation.isAcceptable(response.head.status.code) else {
            throw await reject(response)
        }
        return observed(response)
    }

    private var serialization: SerializationContext { SerializationContext(coding: core.configuration.coding) }

    /// The call ends with this body.
    private func observed(_ response: StreamedResponse) -> StreamedResponse {
        let status = response.head.status.code
        context.record(.responded(status: status))
        var response = response
        let body = response.body
        response.body = body.onEnd(
            filling: { [context] in context.explained($0) },
            { [core, context] end in
                switch end {
                case .finished(let bytes): core.end(context, .completed(status: status, responseBytes: bytes))
                case .failed(let error, _): core.end(context, failure: error)
                case .cancelled: core.end(context, .cancelled)
                }
            })
        return response
    }

    private func decode<Value>(
        _ head: ResponseHead, _ bytes: Bytes, _ convert: () throws -> Value
    ) throws(APIError<R.Failure>) -> Value {
        do {
            return try convert()
        } catch let error as NetError {
            throw fail(error)
        } catch {
            throw fail(
                context.error(
                    .decoding, phase: .decoding,
                    message: "the response is not what \(R.self) expects: \(DecodingFailure.describe(error))",
                    underlying: error, response: .init(head: head, body: bytes)))
        }
    }

    /// The answer's status is no success: the request's typed failure, else an error that holds the answer.
    private func reject(_ response: StreamedResponse) async -> APIError<R.Failure> {
        let head = response.head
        let bytes = await response.body.prefix(upTo: Self.failureLimit)
        core.end(context, .rejected(status: head.status.code, responseBytes: Int64(bytes.count)))
        var underlying: (any Error)?
        if let failureSerializer {
            do {
                return .rejected(try failureSerializer.convert(head, bytes, serialization), head)
            } catch {
                underlying = error
            }
        }
        var message = "the server answered \(head.status.code), which this request does not accept"
        if let underlying, !(underlying is UndeclaredResponse) {
            message += "; its body does not read as \(R.Failure.self): \(DecodingFailure.describe(underlying))"
        }
        return .failed(
            context.error(
                .unacceptableStatus, phase: .validating, message: message, underlying: underlying,
                response: .init(head: head, body: bytes)))
    }

    private func fail(_ error: NetError) -> APIError<R.Failure> {
        let error = context.explained(error).filling(call: context.summary, elapsed: context.elapsed)
        core.end(context, failure: error)
        return .failed(error)
    }
}
