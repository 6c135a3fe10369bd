internal import HTTPTypes
internal import Synchronization

/// The end of a body: finished, failed or cancelled.
public enum BodyEnd: Sendable {
    /// Every byte was read.
    case finished(bytes: Int64)
    /// The transfer failed.
    case failed(NetError, bytes: Int64)
    /// The consumer cancelled the body, or dropped it unread.
    case cancelled(bytes: Int64)
}

extension ResponseBody {
    /// Returns a body that calls `hook` exactly once, when it ends, fails, is cancelled or is dropped. For a body that
    /// has already ended, `hook` is called immediately.
    ///
    /// Spans, logs and budgets use it to count a streamed call until its last byte. `hook` runs on whatever thread ends
    /// the body and must not block. `filling` adds details to errors before the consumer receives them.
    ///
    ///     let body = response.body.onEnd { end in print(end) }
    public func onEnd(
        filling: (@Sendable (NetError) -> NetError)? = nil, _ hook: @escaping @Sendable (BodyEnd) -> Void
    ) -> ResponseBody {
        if let whole {
            hook(.finished(bytes: Int64(whole.count)))
            return self
        }
        if let cut {
            hook(.finished(bytes: cut.total))
            return self
        }
        return replacing(ObservedBodySource(self, filling: filling, hook: hook))
    }
}

extension ResponseBody {
    /// Ends the transfer because the consumer can't use the body. Returns the error to throw, with the details of the
    /// call.
    package func fail(_ error: NetError) -> NetError {
        if case .source(let source as ObservedBodySource) = content { return source.fail(error) }
        cancel()
        return error
    }

    /// Ends the transfer because the consumer needs no more. The body counts as finished, not as cancelled.
    package func finish() {
        switch content {
        case .source(let source as ObservedBodySource): source.finish()
        case .source(let source as TapedBodySource): source.leave()
        case .source, .whole: cancel()
        }
    }

    /// Returns the error with the details of the call.
    func filled(_ error: NetError) -> NetError {
        switch content {
        case .source(let source as ObservedBodySource): source.filled(error)
        case .source(let source as TapedBodySource): source.filled(error)
        case .source, .whole: error
        }
    }
}

/// A source that reports the end of the one it wraps, exactly once.
private final class ObservedBodySource: BodySource {
    private struct State {
        var bytes: Int64 = 0
        var hasEnded = false
    }

    private let inner: ResponseBody
    private let filling: (@Sendable (NetError) -> NetError)?
    private let hook: @Sendable (BodyEnd) -> Void
    private let state = Mutex(State())

    init(
        _ inner: ResponseBody, filling: (@Sendable (NetError) -> NetError)?,
        hook: @escaping @Sendable (BodyEnd) -> Void
    ) {
        self.inner = inner
        self.filling = filling
        self.hook = hook
    }

    deinit { cancel() }

    var metrics: TransferMetrics? { inner.metrics }
    var trailers: HTTPFields? { inner.trailers }

    func next() async throws(NetError) -> Bytes? {
        do {
            var iterator = inner.makeAsyncIterator()
            guard let chunk = try await iterator.next() else {
                end { .finished(bytes: $0) }
                return nil
            }
            state.withLock { $0.bytes += Int64(chunk.count) }
            return chunk
        } catch {
            let error = filling?(error) ?? error
            end { error.isCancellation ? .cancelled(bytes: $0) : .failed(error, bytes: $0) }
            throw error
        }
    }

    func cancel() {
        inner.cancel()
        end { .cancelled(bytes: $0) }
    }

    /// Ends the body as finished, because the consumer needs no more.
    func finish() {
        end { .finished(bytes: $0) }
        inner.finish()
    }

    /// Returns the error with the details of the call.
    func filled(_ error: NetError) -> NetError {
        let error = inner.filled(error)
        return filling?(error) ?? error
    }

    /// Ends the body as failed, because the consumer can't use it. Returns the error with the details of the call.
    func fail(_ error: NetError) -> NetError {
        let error = filled(error)
        end { .failed(error, bytes: $0) }
        inner.cancel()
        return error
    }

    private func end(_ make: (Int64) -> BodyEnd) {
        let bytes = state.withLock { state -> Int64? in
            if state.hasEnded { return nil }
            state.hasEnded = true
            return state.bytes
        }
        if let bytes { hook(make(bytes)) }
    }
}
