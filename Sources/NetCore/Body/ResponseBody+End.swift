internal import HTTPTypes
internal import Synchronization

/// How a body came to its end.
public enum BodyEnd: Sendable {
    /// Every byte was handed out.
    case finished(bytes: Int64)
    /// The transfer failed.
    case failed(NetError, bytes: Int64)
    /// The reader cancelled, or dropped the body unread.
    case cancelled(bytes: Int64)
}

extension ResponseBody {
    /// Calls `hook` exactly once when the body ends, fails, is cancelled or is dropped; at once for one that has ended.
    ///
    /// Spans, logs and budgets hang here, so that a streamed call counts until its last byte. `hook` runs on whatever
    /// thread ends the body and must not block. `filling` completes errors on their way to the reader.
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
    /// Ends the transfer because the reader cannot use what came; returns the error to throw, which names the call.
    package func fail(_ error: NetError) -> NetError {
        if case .source(let source as ObservedBodySource) = content { return source.fail(error) }
        cancel()
        return error
    }

    /// Ends the transfer because the reader needs nothing more of it: the body counts as finished, not as cancelled.
    package func finish() {
        if case .source(let source as ObservedBodySource) = content { source.finish() } else { cancel() }
    }

    /// The error with what is known of the call.
    func filled(_ error: NetError) -> NetError {
        if case .source(let source as ObservedBodySource) = content { return source.filled(error) }
        return error
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

    /// The reader needs nothing more: for what this source reports to, the body ends here.
    func finish() {
        end { .finished(bytes: $0) }
        inner.finish()
    }

    /// The error with what is known of the call.
    func filled(_ error: NetError) -> NetError {
        let error = inner.filled(error)
        return filling?(error) ?? error
    }

    /// The reader cannot use what came: the transfer ends, and with the reader's error what this source reports to.
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
