#if os(Linux)
internal import CCurl
internal import NetCore
internal import Synchronization

/// Tells an observer how far one attempt's bodies have come.
///
/// `@unchecked Sendable`: the throttles are touched on the loop's thread alone; everything else is Sendable.
final class ProgressReporter: @unchecked Sendable {
    private let observer: ProgressObserver
    private let clock: NetClock
    private let hasUpload: Bool
    private let uploadTotal: Int64?
    private let hasDownload: Bool
    private let isOver = Atomic(false)
    private var upload: ProgressThrottle
    private var download: ProgressThrottle

    /// nil where nobody listens.
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

    /// Any thread: from now on no report begins.
    func close() {
        isOver.store(true, ordering: .relaxed)
    }

    /// Loop thread: libcurl has moved bytes, or may have.
    func moved(_ transfer: Transfer, uploaded: Int64) {
        if isOver.load(ordering: .relaxed) { return }
        let now = clock.now()
        if hasUpload { report(upload.moved(to: transfer.bodyBytes(uploaded), of: uploadTotal, now: now)) }
        // The body of a redirect that is followed is nobody's.
        if hasDownload, transfer.head.isComplete, !transfer.isRedirected {
            report(download.moved(to: transfer.received, of: transfer.announcedBytes, now: now))
        }
    }

    /// Loop thread: the attempt is over, and the response whole.
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
    /// The bytes of the request's body among those that libcurl has written: of a chunked one it counts the framing too.
    fileprivate func bodyBytes(_ uploaded: Int64) -> Int64 {
        min(uploaded, upload?.sent ?? Int64(body?.count ?? 0))
    }

    /// What the response says of the length of its body.
    fileprivate var announcedBytes: Int64? {
        guard let easy else { return nil }
        let length = net_easy_get_offset(easy.raw, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return length >= 0 ? Int64(length) : nil
    }
}

/// libcurl's own count of what it has written to the socket and read from it.
func reportTransferProgress(
    _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _ uploaded: curl_off_t
) -> CInt {
    guard let context else { return 0 }
    Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { easy in
        easy.withTransfer(otherwise: ()) { transfer in
            // For its time-outs. Only a body from memory needs that: another one is asked for.
            if Int64(uploaded) > transfer.sent, transfer.sending > 0 {
                transfer.sent = Int64(uploaded)
                if transfer.upload == nil { transfer.lastActivity = easy.now.pointee }
            }
            transfer.progress?.moved(transfer, uploaded: Int64(uploaded))
        }
    }
    return 0
}
#endif
