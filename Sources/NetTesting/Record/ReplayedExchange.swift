internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// A recorded exchange that responds to a request as a stub, so that timeouts, pauses and cancellation work as in the
/// mock.
struct ReplayedExchange: Sendable {
    let exchange: CapturedExchange
    let timing: ReplayTransport.Timing

    func answer(_ request: PreparedRequest, _ context: CallContext) async throws(NetError) -> StreamedResponse {
        let isConditional = Self.conditions.contains { request.head.headerFields[$0] != nil }
        let mock = MockTransport { _, context in try await respond(context, isConditional: isConditional) }
        let breakage = breakage(context)
        do {
            var response = try await mock.execute(request, context: context)
            response.head.version = exchange.response?.version ?? response.head.version
            guard let breakage else { return response }
            let source = BrokenBodySource(response.body, breakage: breakage)
            return StreamedResponse(head: response.head, body: ResponseBody(source: source))
        } catch {
            // A collected body breaks off before there is a response.
            if let breakage, error.code == .connectionLost { throw breakage }
            throw error
        }
    }

    /// The headers of a request that a 304 may respond to (RFC 9110 section 13.1).
    private static let conditions: [HTTPField.Name] = [.ifNoneMatch, .ifModifiedSince]

    /// Returns the error of a call that has no response in the recording.
    private func error(_ failure: CapturedExchange.Failure, _ context: CallContext) -> NetError {
        switch failure.code {
        case NetError.Code.cancelled.rawValue:
            context.error(
                .unsupported, phase: .waiting,
                message: "the recording has no response: the program that made the call gave it up "
                    + "(\(failure.message)); record it again")
        case HARFailure.unrecorded:
            context.error(.connectionLost, phase: .waiting, message: "\(failure.message) (recorded)")
        default:
            context.error(
                NetError.Code(rawValue: failure.code), phase: .waiting, message: "\(failure.message) (recorded)")
        }
    }

    private func respond(_ context: CallContext, isConditional: Bool) async throws -> StubResponse {
        let pause = timing.applied(to: exchange.duration)
        switch exchange.outcome {
        case .failure(let failure):
            try await context.environment.clock.sleep(for: pause)
            throw error(failure, context)
        case .response(let response):
            if response.status.code == 0 {
                throw context.error(
                    .invalidRequest, phase: .receiving,
                    message: "the recording has no status: a browser took the response from its cache; record it with "
                        + "the cache turned off")
            }
            if response.status == .notModified, !isConditional {
                throw context.error(
                    .invalidRequest, phase: .receiving,
                    message: "the recording has a 304 without the response that it confirms: a browser had that in its "
                        + "cache; record it with the cache turned off")
            }
            if response.body.isCut {
                throw context.error(
                    .bodyTooLarge, phase: .receiving,
                    message: "the recording holds only \(response.body.keptCount) bytes of the body; "
                        + "record it again with a larger maximumBodyBytes")
            }
            return stub(response).delayed(by: pause)
        }
    }

    private func stub(_ response: CapturedExchange.Response) -> StubResponse {
        var headers = response.headers
        let body = response.body
        // Redaction and decoding change the length. The length of a body that broke off stays larger than the recorded
        // part.
        if let length = headers[.contentLength] {
            if body.failure == nil, !body.isAbsent {
                headers[.contentLength] = String(body.keptCount)
            } else if body.failure != nil, Int(length).map({ $0 <= body.keptCount }) ?? true {
                headers[.contentLength] = nil
            }
        }
        let chunks = body.pieces.map { StubChunk($0.bytes, after: timing.applied(to: $0.delay)) }
        let length =
            body.isTimed || body.failure != nil || headers[.transferEncoding] != nil ? nil : Int64(body.keptCount)
        return StubResponse(
            status: response.status, headers: headers, body: .chunks(chunks, length: length),
            trailers: response.trailers,
            fault: body.failure == nil ? nil : .drop(ConnectionDrop(.afterBodyBytes(Int64(body.keptCount)))))
    }

    /// The error at the end of a recorded body that is incomplete; nil if it is complete.
    private func breakage(_ context: CallContext) -> NetError? {
        guard let body = exchange.response?.body, let failure = body.failure else { return nil }
        let code = NetError.Code(rawValue: failure.code)
        if code == .cancelled {
            return context.error(
                .unsupported, phase: .receiving,
                message: "the recording ends after \(body.keptCount) bytes, where its reader left the body; "
                    + "record it again to have the rest")
        }
        return context.error(code, phase: .receiving, message: "\(failure.message) (recorded)")
    }
}

/// The body of an incomplete recorded response: throws the recorded error when the mock loses the connection.
private final class BrokenBodySource: BodySource {
    private let inner: ResponseBody
    private let breakage: NetError

    init(_ inner: ResponseBody, breakage: NetError) {
        self.inner = inner
        self.breakage = breakage
    }

    deinit { inner.cancel() }

    var metrics: TransferMetrics? { inner.metrics }
    var trailers: HTTPFields? { inner.trailers }

    func next() async throws(NetError) -> Bytes? {
        do {
            var iterator = inner.makeAsyncIterator()
            return try await iterator.next()
        } catch {
            throw error.code == .connectionLost ? breakage : error
        }
    }

    func cancel() { inner.cancel() }
}
