#if os(Linux)
internal import CCurl
internal import HTTPTypes
internal import NetCore

/// One attempt of a request on its way through libcurl.
///
/// `@unchecked Sendable`: the constants are Sendable; every variable is touched on the loop thread alone, but for
/// `continuation`, which is set before the transfer is submitted, and `result`, which is read after the loop resumed it.
final class Transfer: @unchecked Sendable {
    /// What `execute` is told.
    enum Result {
        case response(ResponseHead, ResponseBody)
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

    var continuation: UnsafeContinuation<Void, Never>?
    var result: Result?

    // The loop's own.
    var easy: EasyHandle?
    var multi: MultiHandle?
    // Each is touched by one function at a time; checking that at run time costs 2% of a small request.
    @exclusivity(unchecked) var head = HeadCollector()
    @exclusivity(unchecked) var collect: CollectBuffer
    var received: Int64 = 0
    var lastActivity: UInt64 = 0
    var started: UInt64 = 0
    var totalDeadline: UInt64 = .max
    var liveIndex = -1
    /// Whether libcurl was told to wait because the reader is slower.
    var isReceivePaused = false
    /// The socket of a streamed transfer, and how much the kernel may hold of it.
    var descriptor: CInt = -1
    var window: ReceiveWindow
    var isCancelledEarly = false
    var hasFinished = false
    /// Why our own code ended the transfer; libcurl's code then says nothing.
    var abortReason: NetError?
    /// Whether something waits to be handed over at the end of the loop's turn.
    var isDirty = false
    unowned(unsafe) var core: LoopCore?

    init(
        request: PreparedRequest, context: CallContext, options: EasyOptions, upload: Upload?, stream: StreamState?,
        window: ReceiveWindow, pool: SlabPool
    ) {
        self.request = request
        self.context = context
        self.options = options
        self.upload = upload
        self.stream = stream
        self.window = window
        body = if case .bytes(let bytes) = request.body { bytes } else { nil }
        switch context.delivery {
        case .streamed: collect = CollectBuffer(limit: 0, pool: pool)
        case .collected(let limit): collect = CollectBuffer(limit: limit, pool: pool)
        case .drained(let limit): collect = CollectBuffer(limit: limit, dropsRest: true, pool: pool)
        }
    }

    /// Whether the transfer waits for us rather than for the peer.
    var isPaused: Bool { isReceivePaused || upload?.isWaitingForProducer == true }

    /// Hands the result to the caller, once.
    func resume(with result: Result) {
        guard let continuation = continuation.take() else { return }
        self.result = result
        continuation.resume()
    }
}

// MARK: - libcurl's callbacks, on the loop thread

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

func receiveField(
    _ line: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = transfer(context), let core = transfer.core else { return 0 }
    transfer.lastActivity = core.now
    switch transfer.head.receive(UnsafeRawBufferPointer(start: line, count: count)) {
    case .none: return count
    case .head:
        if transfer.stream != nil { core.markDirty(transfer) }
        return count
    case .tooLarge:
        transfer.abortReason = transfer.context.error(
            .protocolViolation, phase: .waiting,
            message: "the response's header section is larger than \(HeadCollector.limit) bytes")
        return 0
    case .malformed:
        transfer.abortReason = transfer.context.error(
            .protocolViolation, phase: .waiting, message: "the response does not begin with an HTTP status line")
        return 0
    }
}

/// libcurl made a socket for a transfer and will connect it.
func prepareSocket(_ context: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t, _: curlsocktype) -> CInt {
    if let transfer = transfer(context), transfer.multi?.kind == .streamed { transfer.window.prepare(descriptor) }
    return Int32(CURL_SOCKOPT_OK)
}

func receiveBody(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = transfer(context), let core = transfer.core else { return 0 }
    transfer.lastActivity = core.now
    transfer.received += Int64(count)
    let bytes = UnsafeRawBufferPointer(start: data, count: count)
    if let stream = transfer.stream {
        guard stream.append(bytes) == .taken else {
            transfer.received -= Int64(count)
            transfer.isReceivePaused = true
            return net_write_pause
        }
        transfer.window.advance(transfer.descriptor, received: transfer.received)
        core.markDirty(transfer)
        return count
    }
    guard let easy = transfer.easy else { return 0 }
    let announced =
        transfer.collect.count == 0
        ? Int(clamping: net_easy_get_offset(easy.raw, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)) : 0
    if transfer.collect.append(bytes, announced: announced) { return count }
    transfer.abortReason = ResponseBody.tooLarge(transfer.request.options.maximumResponseBytes)
        .filling(call: transfer.context.summary, elapsed: transfer.context.elapsed)
    return 0
}

func sendBody(
    _ target: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = transfer(context), let core = transfer.core, let upload = transfer.upload else {
        return net_read_abort
    }
    transfer.lastActivity = core.now
    switch upload.fill(UnsafeMutableRawBufferPointer(start: target, count: size * count)) {
    case .sent(let sent): return sent
    case .wait: return net_read_pause
    case .failed(let error):
        transfer.abortReason = error.filling(call: transfer.context.summary, elapsed: transfer.context.elapsed)
        return net_read_abort
    }
}
#endif
