#if os(Linux)
internal import CCurl
internal import NetCore
internal import Synchronization

/// Reports the progress of an attempt's request and response body to an observer.
///
/// `@unchecked Sendable`: the throttles are used on the loop's thread only; everything else is Sendable.
final class ProgressReporter: @unchecked Sendable {
    private let observer: ProgressObserver
    private let clock: NetClock
    private let hasUpload: Bool
    private let uploadTotal: Int64?
    private let hasDownload: Bool
    private let isOver = Atomic(false)
    private var upload: ProgressThrottle
    private var download: ProgressThrottle

    /// Creates a reporter; nil if the request has no observer.
    init?(_ request: PreparedRequest, _ context: CallContext) {
        guard let observer = request.options.progress else { return nil }
        self.observer = observer
        clock = context.environment.clock
        uploadTotal = request.bodyLength
        hasUpload = uploadTotal != 0
        hasDownload = request.head.method != .head
        upload = ProgressThrottle(.upload, attempt: context.attempt, interval: observer.interval)
        download = ProgressThrottle(.download, attempt: context.attempt, interval: observer.interval)
    }

    /// Prevents further reports; safe on any thread.
    func close() {
        isOver.store(true, ordering: .relaxed)
    }

    /// Reports progress, on the loop's thread; called when libcurl may have sent or received bytes.
    func moved(_ transfer: Transfer, uploaded: Int64) {
        if isOver.load(ordering: .relaxed) { return }
        let now = clock.now()
        if hasUpload { report(upload.moved(to: transfer.bodyBytes(uploaded), of: uploadTotal, now: now)) }
        // The body of a followed redirect isn't reported.
        if hasDownload, transfer.head.isComplete, !transfer.isRedirected {
            report(download.moved(to: transfer.received, of: transfer.announcedBytes, now: now))
        }
    }

    /// Reports the end of the attempt with a complete response, on the loop's thread.
    func finished(_ transfer: Transfer, uploaded: Int64) {
        if isOver.load(ordering: .relaxed) { return }
        if hasUpload { report(upload.finished(transfer.bodyBytes(uploaded), of: uploadTotal)) }
        if hasDownload, !transfer.isRedirected {
            report(download.finished(transfer.received, of: transfer.announcedBytes))
        }
    }

    private func report(_ reports: [TransferProgress]) {
        for progress in reports where !isOver.load(ordering: .relaxed) { observer.report(progress) }
    }
}

extension Transfer {
    /// Returns the number of bytes written by libcurl that belong to the body. For a chunked body, libcurl also counts
    /// the framing.
    fileprivate func bodyBytes(_ uploaded: Int64) -> Int64 {
        min(uploaded, upload?.sent ?? Int64(body?.count ?? 0))
    }

    /// The length of the body according to the response; nil if it's unknown.
    fileprivate var announcedBytes: Int64? {
        guard let easy else { return nil }
        let length = net_easy_get_offset(easy.raw, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return length >= 0 ? Int64(length) : nil
    }
}

/// Receives libcurl's count of the bytes that it has written to the socket and read from it.
func reportTransferProgress(
    _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _ uploaded: curl_off_t
) -> CInt {
    guard let context else { return 0 }
    Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { easy in
        easy.withTransfer(otherwise: ()) { transfer in
            if Int64(uploaded) > transfer.sent, transfer.sending > 0 {
                transfer.sent = Int64(uploaded)
                transfer.lastSent = easy.now.pointee
                transfer.lastActivity = easy.now.pointee
            }
            transfer.progress?.moved(transfer, uploaded: Int64(uploaded))
        }
    }
    return 0
}
#endif
