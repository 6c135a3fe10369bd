internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// A recorded exchange that answers a request: as a stub, so time-outs, pauses and cancellation are those of the mock.
struct ReplayedExchange: Sendable {
    let exchange: RecordedExchange
    let timing: ReplayTransport.Timing

    func answer(_ request: PreparedRequest, _ context: CallContext) async throws(NetError) -> StreamedResponse {
        let mock = MockTransport { _, context in try await respond(context) }
        var response = try await mock.execute(request, context: context)
        response.head.version = exchange.response?.version ?? response.head.version
        return response
    }

    private func respond(_ context: CallContext) async throws -> StubResponse {
        let pause = timing.applied(to: exchange.duration)
        switch exchange.outcome {
        case .failure(let failure):
            try await context.environment.clock.sleep(for: pause)
            throw context.error(
                NetError.Code(rawValue: failure.code), phase: .waiting, message: "\(failure.message) (recorded)")
        case .response(let response):
            if response.body.isCut {
                throw context.error(
                    .bodyTooLarge, phase: .receiving,
                    message: "the recording holds only \(response.body.count) bytes of the body; "
                        + "record it again with a larger maximumBodyBytes")
            }
            return stub(response).delayed(by: pause)
        }
    }

    private func stub(_ response: RecordedExchange.Response) -> StubResponse {
        var fields = response.fields
        let body = response.body
        // Redaction, decoding and a reader that left change the length.
        if body.failure == nil, !body.isAbsent, fields[.contentLength] != nil {
            fields[.contentLength] = String(body.count)
        }
        let chunks = body.pieces.map { StubChunk($0.bytes, after: timing.applied(to: $0.delay)) }
        let length = body.isTimed || body.failure != nil || fields[.transferEncoding] != nil ? nil : Int64(body.count)
        return StubResponse(
            status: response.status, fields: fields, body: .chunks(chunks, length: length),
            trailers: response.trailers,
            fault: body.failure == nil ? nil : .drop(ConnectionDrop(.afterBodyBytes(Int64(body.count)))))
    }
}
