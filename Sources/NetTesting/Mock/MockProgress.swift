internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// Reports the progress of one attempt's bodies to the request's observer, as a real transport does.
final class MockProgress: Sendable {
    private struct State {
        var upload: ProgressThrottle
        var download: ProgressThrottle
        var isOver = false
    }

    private let observer: ProgressObserver
    private let clock: NetClock
    private let uploadTotal: Int64?
    private let hasDownload: Bool
    private let state: Mutex<State>

    /// Nil if the request has no observer.
    init?(_ request: PreparedRequest, _ context: CallContext) {
        guard let observer = request.options.progress else { return nil }
        self.observer = observer
        clock = context.environment.clock
        uploadTotal = request.bodyLength
        hasDownload = request.head.method != .head
        state = Mutex(
            State(
                upload: ProgressThrottle(.upload, attempt: context.attempt, interval: observer.interval),
                download: ProgressThrottle(.download, attempt: context.attempt, interval: observer.interval)))
    }

    /// The stub has read `count` bytes of the request's body; all of it if `isAll` is true.
    func sent(_ count: Int64, isAll: Bool) {
        guard uploadTotal != 0 else { return }
        report {
            isAll ? $0.upload.finished(count, of: uploadTotal) : $0.upload.moved(to: count, of: uploadTotal, now: $1)
        }
    }

    /// The consumer has received `count` bytes of the response's body; all of it if `isAll` is true.
    func received(_ count: Int64, of total: Int64?, isAll: Bool) {
        guard hasDownload else { return }
        report { isAll ? $0.download.finished(count, of: total) : $0.download.moved(to: count, of: total, now: $1) }
    }

    /// Prevents further reports: the attempt failed, or its body was cancelled.
    func close() { state.withLock { $0.isOver = true } }

    private func report(_ step: (inout State, Duration) -> [TransferProgress]) {
        let now = clock.now()
        for progress in state.withLock({ $0.isOver ? [] : step(&$0, now) }) { observer.report(progress) }
    }
}

/// A streamed request body that reports how much of it has been read.
final class MockUploadSource: BodySource {
    private let body: any BodySource
    private let progress: MockProgress
    private let count = Mutex<Int64>(0)

    private init(_ body: any BodySource, _ progress: MockProgress) {
        (self.body, self.progress) = (body, progress)
    }

    /// Returns the body with reports, or the body itself without an observer.
    static func reporting(_ body: any BodySource, _ progress: MockProgress?) -> any BodySource {
        progress.map { MockUploadSource(body, $0) } ?? body
    }

    var trailers: HTTPFields? { body.trailers }

    func next() async throws(NetError) -> Bytes? {
        progress.sent(count.withLock { $0 }, isAll: false)
        let chunk = try await body.next()
        let sent = count.withLock { count in
            count += Int64(chunk?.count ?? 0)
            return count
        }
        progress.sent(sent, isAll: chunk == nil)
        return chunk
    }

    func cancel() { body.cancel() }
}
