#if os(Linux)
internal import HTTPTypes
internal import NetCore

/// The reader's side of a streamed body. Releasing its last reference ends the transfer.
final class TransferBody: BodySource {
    private let transfer: Transfer
    private let stream: StreamState
    private let loop: EventLoop
    /// Keeps the engine alive as long as the body.
    private let engine: CurlEngine

    init(transfer: Transfer, stream: StreamState, engine: CurlEngine, loop: EventLoop) {
        self.transfer = transfer
        self.stream = stream
        self.engine = engine
        self.loop = loop
    }

    deinit { cancel() }

    var metrics: TransferMetrics? { stream.metrics }
    var trailers: HTTPFields? { stream.trailers }

    func next() async throws(NetError) -> Bytes? {
        while true {
            switch stream.take() {
            case .chunk(let chunk, let resumesTransfer):
                if resumesTransfer { loop.post(.resumeReceiving(transfer)) }
                return chunk
            case .end(let error):
                if let error { throw error }
                return nil
            case .wait:
                let isAlone = await withTaskCancellationHandler {
                    await stream.wait()
                } onCancel: {
                    loop.post(.cancel(transfer))
                }
                guard isAlone else {
                    throw transfer.context.error(
                        .invalidRequest, phase: .receiving,
                        message: "two tasks are reading the same body; give each its own call")
                }
            }
        }
    }

    func cancel() {
        transfer.progress?.close()
        if !stream.hasEnded { loop.post(.cancel(transfer)) }
        stream.discard()
    }
}
#endif
