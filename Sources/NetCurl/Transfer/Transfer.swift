#if os(Linux)
internal import CCurl
internal import HTTPTypes
internal import NetCore

/// One attempt of a request on its way through libcurl.
///
/// `@unchecked Sendable`: the constants are Sendable; every variable is touched on the loop thread alone, but for
/// `continuation`, which is set before the transfer is submitted, and what `takeResponse` reads, which is after the loop
/// resumed it and has let go.
final class Transfer: @unchecked Sendable {
    /// What `execute` is told.
    enum Result {
        /// The response is there, for ``takeResponse(_:givingBackTo:)``: whole, or a redirect whose body broke.
        case collected(TransferMetrics)
        case streaming(ResponseHead)
        case failed(NetError)
    }

    let request: PreparedRequest
    let context: CallContext
    let options: EasyOptions
    /// The body in memory; held until the transfer ends.
    let body: Bytes?
    /// The body that is made while it goes out.
    let upload: Upload?
    /// Where a streamed body goes; nil for a collected one.
    let stream: StreamState?
    /// Who is told how far the bodies have come; nil for nobody.
    let progress: ProgressReporter?

    var continuation: UnsafeContinuation<Void, Never>?
    var result: Result?

    // The loop's own.
    var easy: EasyHandle?
    var multi: MultiHandle?
    // Each is touched by one function at a time; checking that at run time costs 2% of a small request.
    @exclusivity(unchecked) var head: HeadCollector
    /// Lent memory for a collected response.
    var buffer: ResponseBuffer?
    @exclusivity(unchecked) var collect: CollectBuffer
    /// Reads a body that comes in chunks.
    @exclusivity(unchecked) var chunks = ChunkDecoder()
    @exclusivity(unchecked) var received: Int64 = 0
    @exclusivity(unchecked) var lastActivity: UInt64 = 0
    /// When it came to the loop, and when it got a handle.
    var admitted: UInt64 = 0
    var started: UInt64 = 0
    /// When the request was about to go out on a connection, the last time; 0 before.
    var sending: UInt64 = 0
    /// How often a connection was about to carry it: more than once when one that was used before turned out dead.
    var sendCount = 0
    /// How much of a body from memory has gone out.
    var sent: Int64 = 0
    /// Whether it opened a connection, and whether it did before it was sent first.
    var madeConnection = false
    var wasRefusable = false
    /// Whether libcurl has begun to look a name up for it.
    var isResolving = false
    /// When it must have a connection; `.max` where it may wait for one of another.
    var connectDeadline: UInt64 = .max
    /// When its connect time-out is over, wherever it waits.
    var connectEnd: UInt64 = .max
    /// Whether TCP stood on a connection that it opened.
    var isConnected = false
    var totalDeadline: UInt64 = .max
    /// When the body of a redirect that is followed is waited for no longer.
    var bodyDeadline: UInt64 = .max
    var liveIndex = -1
    /// When the turn began in which bytes came last, and how many came in it.
    var turn: UInt64 = 0
    var turnBytes = 0
    /// Whether libcurl was told to wait because the reader is slower.
    var isReceivePaused = false
    /// The socket of a streamed transfer, once libcurl has waited for it, and how much the kernel may hold of it.
    var descriptor: CInt = -1
    var window: ReceiveWindow
    /// The local port of its connection; none for a Unix socket.
    var localPort: CInt = 0
    var isCancelledEarly = false
    var hasFinished = false
    /// Why our own code ended the transfer; libcurl's code then says nothing. Of a redirect that was collected, what became
    /// of its body.
    var abortReason: NetError?
    /// Whether something waits to be handed over at the end of the loop's turn.
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

    /// The loop lends memory for the response.
    func lend(_ buffer: ResponseBuffer) {
        var lines: [UInt8] = []
        swap(&lines, &buffer.lines)
        head = HeadCollector(limits: head.limits, buffer: lines)
        collect.small = buffer.body
        self.buffer = buffer
    }

    /// Whether the transfer waits for us rather than for the peer.
    var isPaused: Bool { isReceivePaused || upload?.isWaitingForProducer == true }

    /// Whether the response leads elsewhere: what becomes of its body is then of no account to most.
    var leadsOn: Bool { head.isComplete && RedirectDecision.statuses.contains(head.status.code) }

    /// Whether the client goes where it leads, and reads no body.
    var isRedirected: Bool {
        guard leadsOn, let policy = request.options.redirects ?? context.environment.redirects else { return false }
        return policy.limit != nil && RedirectDecision.leads(head.head(), from: request.url)
    }

    /// Whether its response has no body, whatever it says of one (RFC 9112 section 6.3).
    var hasNoBody: Bool {
        if case .head = options.method { return true }
        return head.status.code == 204 || head.status.code == 304
    }

    /// Whether a body was to come in chunks, and its end did not come.
    var lacksChunks: Bool { head.isChunked && !hasNoBody && !chunks.isOver }

    /// Whether its response is whole by its own word, though the body of its request is not: the server may answer at once and
    /// read no further, and must be heard (RFC 9113 section 8.1).
    var isAnswered: Bool {
        (body != nil || upload != nil) && abortReason == nil && head.hasAnnounced(received)
    }

    /// Whether the body of the request can go out from its beginning.
    var hasWholeBody: Bool { upload.map { $0.isReplayable || $0.sent == 0 } ?? true }

    /// Whether a connection that was used before ended under it before anything of a response came, where libcurl does not send
    /// it again by itself: it does when it reads that end, and not when it writes or waits. Five times at most, as libcurl.
    var foundDeadConnection: Bool {
        hasWholeBody && !head.hasBegun && !madeConnection && (1...5).contains(sendCount) && abortReason == nil
            && isRepeatable && easy?.isSpent == false && easy?.errorText.hasPrefix("Connection died") == false
    }

    /// Whether libcurl gave up because connection after connection that it had kept turned out dead: it tries five. Of those that
    /// were reset it says no more than of one that was; where it made one of them, the server is asked no more.
    var foundOnlyDeadConnections: Bool {
        guard hasWholeBody, !head.hasBegun, let easy, !easy.isSpent else { return false }
        guard sendCount > 5 || easy.errorText.hasPrefix("Connection died") else { return false }
        return net_easy_get_long(easy.raw, CURLINFO_NUM_CONNECTS) == 0
    }

    /// Whether the HTTP/2 session ended, by a GOAWAY most likely, before an answer to it began, and it may be sent again. libcurl
    /// has no words for that, where it says what is wrong with a frame.
    var wasLeftUnanswered: Bool {
        hasWholeBody && !head.hasBegun && isRepeatable && easy?.errorText.isEmpty == true && easy?.isSpent == false
    }

    /// Hands the result to the caller, once, at the end of the loop's turn.
    func resume(with result: consuming Result) {
        guard let continuation = continuation.take() else { return }
        self.result = result
        if let core { core.resumptions.append(continuation) } else { continuation.resume() }
    }

    /// Caller's thread, once resumed: makes the response of what the loop has gathered.
    func takeResponse(_ metrics: TransferMetrics, givingBackTo buffers: ResponseBuffers) -> StreamedResponse {
        let body: ResponseBody
        if let abortReason {
            body = ResponseBody(source: BrokenBody(abortReason, metrics))
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
