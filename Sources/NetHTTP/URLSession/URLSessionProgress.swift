#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// Reports the progress of one attempt's bodies to an observer. URLSession reports on one queue, so the order is
/// kept.
final class URLSessionProgress: Sendable {
    private struct State {
        var upload: ProgressThrottle
        var download: ProgressThrottle
        var isOver = false
    }

    private let observer: ProgressObserver
    private let uploadTotal: Int64?
    private let hasDownload: Bool
    private let state: Mutex<State>

    /// Nil if there is no observer.
    init?(_ request: PreparedRequest, attempt: Int) {
        guard let observer = request.options.progress else { return nil }
        self.observer = observer
        uploadTotal = request.bodyLength
        hasDownload = request.head.method != .head
        state = Mutex(
            State(
                upload: ProgressThrottle(.upload, attempt: attempt, interval: observer.interval),
                download: ProgressThrottle(.download, attempt: attempt, interval: observer.interval)))
    }

    func sent(_ count: Int64, now: Duration) {
        guard uploadTotal != 0 else { return }
        report { $0.upload.moved(to: count, of: uploadTotal, now: now) }
    }

    func received(_ count: Int64, of total: Int64?, now: Duration) {
        guard hasDownload else { return }
        report { $0.download.moved(to: count, of: total, now: now) }
    }

    /// Reports the end of an attempt with a complete response.
    func finished(sent: Int64, received: Int64, of total: Int64?) {
        if uploadTotal != 0 { report { $0.upload.finished(sent, of: uploadTotal) } }
        if hasDownload { report { $0.download.finished(received, of: total) } }
        close()
    }

    /// Prevents further reports.
    func close() { state.withLock { $0.isOver = true } }

    private func report(_ step: (inout State) -> [TransferProgress]) {
        for progress in state.withLock({ $0.isOver ? [] : step(&$0) }) { observer.report(progress) }
    }
}
#endif
