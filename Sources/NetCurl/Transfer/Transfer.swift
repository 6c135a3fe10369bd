#if os(Linux)
internal import CCurl
internal import HTTPTypes
internal import NetCore

/// One attempt of a request, performed by libcurl.
///
/// `continuation` is set before the transfer is submitted. `takeResponse` uses variables only after the loop has
/// resumed the caller and no longer uses the transfer.
///
/// `@unchecked Sendable`: variables are used by the loop's thread only, or by the caller before and after the loop.
final class Transfer: @unchecked Sendable {
    /// The result for ``CurlEngine/execute(_:context:)``.
    enum Result {
        /// A response for ``takeResponse(_:givingBackTo:)``: complete, or a redirect whose body failed.
        case collected(TransferMetrics)
        case streaming(ResponseHead)
        case failed(NetError)
    }

    let request: PreparedRequest
    let context: CallContext
    let options: EasyOptions
    /// The request body in memory; kept until the transfer ends.
    let body: Bytes?
    /// The request body that is produced while it's sent.
    let upload: Upload?
    /// The destination of a streamed response body; nil for a collected one.
    let stream: StreamState?
    /// The reporter of progress; nil without an observer.
    let progress: ProgressReporter?

    var continuation: UnsafeContinuation<Void, Never>?
    var result: Result?

    // Used on the loop's thread.
    var easy: EasyHandle?
    var multi: MultiHandle?
    // Only one function at a time accesses each of them; checking that at run time costs 2% of a small request.
    @exclusivity(unchecked) var head: HeadCollector
    /// Borrowed memory for a collected response.
    var buffer: ResponseBuffer?
    @exclusivity(unchecked) var collect: CollectBuffer
    /// The decoder of a chunked body.
    @exclusivity(unchecked) var chunks = ChunkDecoder()
    @exclusivity(unchecked) var received: Int64 = 0
    @exclusivity(unchecked) var lastActivity: UInt64 = 0
    /// The time at which the transfer reached the loop, and the time at which it got a handle.
    var admitted: UInt64 = 0
    var started: UInt64 = 0
    /// The last time at which the request was about to be sent on a connection; 0 before the first.
    var sending: UInt64 = 0
    /// The number of connections on which the request was about to be sent: more than one if a reused one turned out to
    /// be dead.
    var sendCount = 0
    /// The number of body bytes that libcurl has reported as sent, and the time of the last of them.
    var sent: Int64 = 0
    var lastSent: UInt64 = 0
    /// The time of the first line of a head that isn't complete; 0 for none.
    @exclusivity(unchecked) var headBegan: UInt64 = 0
    /// The time at which the head of the response was complete; 0 before.
    @exclusivity(unchecked) var answered: UInt64 = 0
    /// True if the transfer opened a connection, and whether it did so before the request was first sent.
    var madeConnection = false
    var isOnNewConnection = false
    /// True if libcurl has started to resolve a name for the transfer.
    var isResolving = false
    /// The time by which the transfer must have a connection; `.max` if it may wait for another transfer's connection.
    var connectDeadline: UInt64 = .max
    /// The end of the connect timeout, whatever the transfer waits for.
    var connectEnd: UInt64 = .max
    /// True if TCP was connected on a connection that the transfer opened.
    var isConnected = false
    var totalDeadline: UInt64 = .max
    /// The time by which the body of a followed redirect must be complete; `.max` for other bodies.
    var bodyDeadline: UInt64 = .max
    var liveIndex = -1
    /// The start of the last turn in which bytes arrived, and the number of bytes in it.
    var turn: UInt64 = 0
    var turnBytes = 0
    /// True if libcurl is paused because the reader is slower.
    var isReceivePaused = false
    /// The socket of a streamed transfer, once libcurl has waited for it, and the limit of the bytes that the kernel
    /// buffers for it.
    var descriptor: CInt = -1
    var window: ReceiveWindow
    /// The connection, if it may use HTTP/2, and the number of the request's stream; 0 if it isn't known.
    @exclusivity(unchecked) var connection: RefusedStreams.Connection?
    var streamNumber = 0
    /// True if libcurl has written a part of the request to the connection; known only if messages are received.
    var hasWritten = false
    /// False while libcurl chooses another connection.
    var isOnConnection = true
    /// True if messages are received on behalf of this transfer.
    var needsMessages = false
    /// True if the request goes, or went, over HTTP/1.1 because HTTP/2 didn't bring a response.
    var hasFallenBack = false
    /// True if the engine has ended an attempt to fall back.
    var wantsHTTP1 = false
    /// True if an earlier attempt may have been processed.
    var isInDoubt = false
    /// The local port of the connection; 0 for a Unix socket.
    var localPort: CInt = 0
    var isCancelledEarly = false
    var hasFinished = false
    /// The error with which the engine itself ended the transfer; libcurl's code is then meaningless. For a collected
    /// redirect, the error of its body.
    var abortReason: NetError?
    /// True if there is something to deliver at the end of the loop's turn.
    var isDirty = false
    var waking = ReaderWaking()
    unowned(unsafe) var core: LoopCore?

    init(
        request: PreparedRequest, context: CallContext, options: EasyOptions, upload: Upload?, stream: StreamState?,
        window: ReceiveWindow, headLimits: HeadLimits
    ) {
        self.request = request
        self.context = context
        self.options = options
        self.upload = upload
        self.stream = stream
        self.window = window
        progress = ProgressReporter(request, context)
        head = HeadCollector(limits: headLimits)
        body = if case .bytes(let bytes) = request.body { bytes } else { nil }
        switch context.delivery {
        case .streamed: collect = CollectBuffer(limit: 0)
        case .collected(let limit): collect = CollectBuffer(limit: limit)
        case .drained(let limit): collect = CollectBuffer(limit: limit, dropsRest: true)
        }
    }

    /// Sets the memory for the response, which the loop lends.
    func lend(_ buffer: ResponseBuffer) {
        var lines: [UInt8] = []
        swap(&lines, &buffer.lines)
        head = HeadCollector(limits: head.limits, buffer: lines)
        collect.small = buffer.body
        self.buffer = buffer
    }

    /// True if the transfer waits for its reader or its request body rather than for the peer.
    var isPaused: Bool { isReceivePaused || upload?.isWaitingForProducer == true }

    /// The time since which the peer owes the next thing: the whole head once it has begun, else the next byte.
    var silentSince: UInt64 { head.isWithinHead ? headBegan : lastActivity }

    /// True if the response is there with its head, whatever happens to its body: a redirect, or a refusal. The body of a
    /// success is what was requested.
    func standsWithoutBody(_ error: NetError) -> Bool {
        guard head.isComplete, head.status.code >= 300, !error.isCancellation else { return false }
        if RedirectDecision.statuses.contains(head.status.code) { return true }
        // A response with wrong framing may be part of another one. The limit of a body is the caller's.
        return ![.invalidFraming, .protocolViolation, .headersTooLarge, .bodyTooLarge].contains(error.code)
    }

    /// True if the client follows the redirect, and doesn't read the body.
    var isRedirected: Bool {
        guard head.isComplete, RedirectDecision.statuses.contains(head.status.code),
            let policy = request.options.redirects ?? context.environment.redirects
        else { return false }
        return policy.limit != nil && RedirectDecision.leads(head.head(), from: request.url)
    }

    /// True if the response has no body, whatever its head says (RFC 9112 section 6.3).
    var hasNoBody: Bool {
        if case .head = options.method { return true }
        return head.status.code == 204 || head.status.code == 304
    }

    /// True if the body is chunked and its end didn't arrive.
    var lacksChunks: Bool { head.isChunked && !hasNoBody && !chunks.isOver }

    /// True if the response is complete according to its head, although the request body may not be: a server may
    /// respond early and read no further, and its response must be used (RFC 9113 section 8.1).
    var isAnswered: Bool {
        (body != nil || upload != nil) && abortReason == nil && head.hasAnnounced(received)
    }

    /// True if the request has been sent with its whole body.
    var hasSentAll: Bool {
        if let upload { return upload.hasSentAll }
        return sent >= body?.count ?? 0
    }

    /// True if the request body can be sent from its beginning.
    var hasWholeBody: Bool { upload.map { $0.isReplayable || $0.sent == 0 } ?? true }

    /// True if a reused connection ended before any part of a response arrived, in the cases in which libcurl doesn't
    /// resend the request on its own: it resends when it reads that end, but not when it writes or waits. At most five
    /// times, like libcurl.
    var foundDeadConnection: Bool {
        hasWholeBody && !head.hasBegun && (!madeConnection || isUnprocessed) && (1...5).contains(sendCount)
            && abortReason == nil && (isRepeatable || isUnprocessed) && easy?.isSpent == false
            && easy?.errorText.hasPrefix("Connection died") == false
    }

    /// True if libcurl gave up because one kept connection after another turned out to be dead: it tries five. If they
    /// were reset, its message is the same as for a single one. If it opened one of them for this request, the request
    /// isn't repeated.
    var foundOnlyDeadConnections: Bool {
        guard hasWholeBody, !head.hasBegun, let easy, !easy.isSpent else { return false }
        guard sendCount > 5 || easy.errorText.hasPrefix("Connection died") else { return false }
        return net_easy_get_long(easy.raw, CURLINFO_NUM_CONNECTS) == 0
    }

    /// True if the HTTP/2 session ended before the response began, most likely because of a GOAWAY, and the request may
    /// be resent. libcurl has no message for that case, but does report an invalid frame.
    var wasLeftUnanswered: Bool {
        hasWholeBody && !head.hasBegun && (isRepeatable || isUnprocessed) && easy?.errorText.isEmpty == true
            && easy?.isSpent == false
    }

    /// True if HTTP/1.1 may bring the response that HTTP/2 didn't: libcurl loses those that arrive before the whole body
    /// was sent, and some servers refuse the stream of a body that is too large for them, instead of responding.
    var mayFallBack: Bool {
        mayHaveLostResponse && hasWholeBody && !hasFallenBack && abortReason == nil
            && core?.configuration.version == .http2OverTLS
    }

    /// True if a request with a body has no response, although it was sent over HTTP/2.
    var mayHaveLostResponse: Bool {
        streamNumber > 0 && !head.hasBegun && (body?.isEmpty == false || upload != nil)
            && CurlFeatures.losesEarlyResponses
    }

    /// True if the stream ended with a part of the response, before the whole request was sent.
    var mayHaveLostBody: Bool {
        streamNumber > 0 && head.isComplete && !hasSentAll && CurlFeatures.losesEarlyResponses
    }

    static let lostResponse =
        "If the server responded before it had the whole body, libcurl has lost the response; version = .http1 receives "
        + "it, and a request that may be repeated (IdempotencyKeyMiddleware) gets it with a second attempt"

    /// Passes the result to the caller, once, at the end of the loop's turn.
    func resume(with result: consuming Result) {
        guard let continuation = continuation.take() else { return }
        self.result = result
        if let core { core.resumptions.append(continuation) } else { continuation.resume() }
    }

    /// Returns the response that the loop has gathered. Called on the caller's thread after the caller is resumed.
    func takeResponse(_ metrics: TransferMetrics, givingBackTo buffers: ResponseBuffers) -> StreamedResponse {
        let body: ResponseBody
        if let abortReason {
            body = ResponseBody(source: BrokenBody(collect.finish(), abortReason, metrics))
        } else {
            let bytes = collect.finish()
            body =
                received == Int64(bytes.count)
                ? ResponseBody(bytes, metrics: metrics, trailers: head.trailers)
                : ResponseBody(keeping: bytes, of: received, metrics: metrics)
        }
        let response = StreamedResponse(head: head.head(), body: body)
        if let buffer = buffer.take() {
            buffer.lines = head.takeBuffer()
            buffers.give(buffer)
        }
        return response
    }
}
#endif
