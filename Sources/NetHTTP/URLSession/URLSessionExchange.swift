#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// One attempt: passes URLSession's events to the state machine, and carries out its actions.
final class URLSessionExchange: Sendable {
    private struct State {
        var machine: URLSessionStateMachine
        var task: URLSessionTask?
        var waiter: (milestone: URLSessionStateMachine.Milestone, continuation: CheckedContinuation<Void, Never>)?
        var watch: Task<Void, Never>?
        var upload: URLSessionUpload?
        var requestBytes: Int64 = 0
        /// The length of the body according to the response.
        var announcedBytes: Int64?
        var taskMetrics: URLSessionTaskMetrics?
        var metrics: TransferMetrics?
    }

    /// The effects to run once the lock is released.
    private struct Aftermath {
        var resumes: CheckedContinuation<Void, Never>?
        var cancels: URLSessionTask?
        var watch: Task<Void, Never>?
        var upload: URLSessionUpload?

        func run() {
            resumes?.resume()
            watch?.cancel()
            #if canImport(Darwin)
            // Never compiled here.
            cancels?.cancel()
            #else
            // Foundation on Linux blocks here if the body stream waits for its producer.
            if let cancels { DispatchQueue.global().async { cancels.cancel() } }
            #endif
            upload?.stop()
        }
    }

    let request: PreparedRequest
    let context: CallContext
    private let progress: URLSessionProgress?
    private let start: Duration
    private let state: Mutex<State>

    init(request: PreparedRequest, context: CallContext, streamBuffer: Int) {
        self.request = request
        self.context = context
        progress = URLSessionProgress(request, attempt: context.attempt)
        start = context.environment.clock.now()
        let isSending = if case .stream = request.body { true } else { false }
        state = Mutex(
            State(
                machine: URLSessionStateMachine(
                    delivery: Self.delivery(context), timeouts: context.timeouts, deadline: context.deadline,
                    highMark: streamBuffer, isSending: isSending, now: start)))
    }

    /// A body that will be discarded is streamed too, and dropped as it arrives.
    private static func delivery(_ context: CallContext) -> BodyDelivery {
        if case .drained = context.delivery { .streamed } else { context.delivery }
    }

    private var now: Duration { context.environment.clock.now() }
    private var host: String { request.head.authority ?? "" }

    // MARK: Caller

    /// Stores the task, which hasn't been started, and starts it.
    func begin(_ task: URLSessionTask, upload: URLSessionUpload?) {
        let isOver = state.withLock { state in
            state.task = task
            state.upload = upload
            return state.machine.hasEnded
        }
        if isOver {
            upload?.stop()
            task.cancel()
        } else {
            task.resume()
            watchTime()
        }
    }

    /// Returns the response: once its head has arrived if the body is streamed, else once it's complete.
    func response() async throws(NetError) -> StreamedResponse {
        let isStreamed = Self.delivery(context) == .streamed
        await withTaskCancellationHandler {
            _ = await wait(for: isStreamed ? .head : .end)
        } onCancel: {
            cancel()
        }
        let (head, error, bytes, metrics) = state.withLock { state in
            (
                state.machine.head, state.machine.error, isStreamed ? Bytes() : state.machine.takeAll(), state.metrics
            )
        }
        // If a streamed body broke off right after its head, its consumer gets the error.
        if let error, !isStreamed || head == nil { throw error }
        guard let head else {
            throw context.error(
                .protocolViolation, phase: .waiting, message: "URLSession ended the task without a response")
        }
        guard isStreamed else { return StreamedResponse(head: head, body: ResponseBody(bytes, metrics: metrics)) }
        return StreamedResponse(head: head, body: ResponseBody(source: URLSessionBody(self)))
    }

    /// The next chunk of a streamed body; nil at its end.
    func next() async throws(NetError) -> Bytes? {
        while true {
            let now = now
            let (action, task) = state.withLock { ($0.machine.take(now: now), $0.task) }
            switch action {
            case .chunk(let chunk, let resumesTask):
                if resumesTask { task?.resume() }
                return chunk
            case .end(let error):
                if let error { throw error }
                return nil
            case .wait:
                let isAlone = await withTaskCancellationHandler {
                    await wait(for: .chunk)
                } onCancel: {
                    cancel()
                }
                guard isAlone else {
                    throw context.error(
                        .invalidRequest, phase: .receiving,
                        message: "two tasks are reading the same body; give each its own call")
                }
            }
        }
    }

    var metrics: TransferMetrics? { state.withLock { $0.metrics } }

    /// Ends the attempt immediately for its caller; the URLSession task is cancelled afterwards.
    func cancel() {
        end { phase in context.error(.cancelled, phase: phase, message: "the call was cancelled") }
    }

    /// Cancels the attempt and discards its data: the consumer is gone.
    func drop() {
        cancel()
        state.withLock { $0.machine.discard() }
    }

    /// Ends the attempt with a given error.
    func fail(_ error: NetError) {
        end { _ in error.filling(call: context.summary, elapsed: context.elapsed) }
    }

    /// Returns false if another task is already waiting.
    private func wait(for milestone: URLSessionStateMachine.Milestone) async -> Bool {
        var isAlone = true
        await withCheckedContinuation { continuation in
            let (resumesNow, alone) = state.withLock { state -> (Bool, Bool) in
                if state.waiter != nil { return (true, false) }
                if state.machine.isReached(milestone) { return (true, true) }
                state.waiter = (milestone, continuation)
                return (false, true)
            }
            isAlone = alone
            if resumesNow { continuation.resume() }
        }
        return isAlone
    }

    // MARK: URLSession

    func responded(_ response: URLResponse) {
        guard let head = (response as? HTTPURLResponse).flatMap({ ResponseHead($0) }) else {
            return end { phase in
                context.error(.protocolViolation, phase: phase, message: "the server's response is not valid HTTP")
            }
        }
        let length = response.expectedContentLength
        change { state, now in
            state.machine.responded(head, now: now)
            // For an encoded body this is the encoded length, whereas the decoded bytes are counted.
            if length >= 0, head[.contentEncoding] == nil { state.announcedBytes = length }
        }
    }

    func received(_ data: Data) {
        let now = now
        let storage = ByteStorage(capacity: data.count)
        data.copyBytes(to: UnsafeMutableRawBufferPointer(start: storage.base, count: data.count))
        let bytes = Bytes(storage: storage, count: data.count)
        let (action, task, aftermath, received, announced) = state.withLock { state in
            let action = state.machine.received(bytes, now: now)
            return (
                action, state.task, Aftermath(resumes: Self.reachedWaiter(&state)), state.machine.received,
                state.announcedBytes
            )
        }
        progress?.received(received, of: announced, now: now)
        aftermath.run()
        switch action {
        case .goOn: break
        case .tooLarge(let limit): fail(ResponseBody.tooLarge(limit))
        case .suspend:
            #if canImport(Darwin)
            // Never compiled here: on Linux, resuming a suspended task restarts it from the beginning.
            task?.suspend()
            #else
            _ = task
            #endif
        }
    }

    func sent(_ count: Int64) {
        change { state, now in
            state.requestBytes = count
            state.machine.moved(isStarved: nil, now: now)
        }
        progress?.sent(count, now: now)
    }

    func collected(_ metrics: URLSessionTaskMetrics) {
        state.withLock { $0.taskMetrics = metrics }
    }

    func completed(_ error: (any Error)?) {
        // The task is over: Foundation on Linux traps if a finished task is cancelled.
        end(cancelsTask: false) { phase in
            error.map { URLSessionFailure.error($0, host: host, phase: phase, context: context) }
        }
    }

    /// Ends the attempt because the server's certificate doesn't satisfy the transport's settings.
    func refused(_ reason: String) {
        fail(NetError(.tls, phase: .securing, message: "TLS with \(host) failed: \(reason)"))
    }

    /// Returns a new stream for a body that must be sent again; nil if it can't be.
    func newBodyStream() -> InputStream? {
        request.isReplayable ? state.withLock { $0.upload }?.open() : nil
    }

    /// The producer of the request's body is behind, or has caught up.
    func producer(isStarved: Bool) {
        change { state, now in state.machine.moved(isStarved: isStarved, now: now) }
    }

    /// The producer has delivered the whole body.
    func producerFinished() {
        change { state, now in state.machine.sentAll(now: now) }
    }

    // MARK: Both

    private func change(_ body: (inout State, Duration) -> Void) {
        let now = now
        let aftermath = state.withLock { state in
            body(&state, now)
            return Aftermath(resumes: Self.reachedWaiter(&state))
        }
        aftermath.run()
    }

    private static func reachedWaiter(_ state: inout State) -> CheckedContinuation<Void, Never>? {
        guard let waiter = state.waiter, state.machine.isReached(waiter.milestone) else { return nil }
        state.waiter = nil
        return waiter.continuation
    }

    private func end(cancelsTask: Bool = true, _ make: (NetError.Phase) -> NetError?) {
        let total = now - start
        let (aftermath, whole, announced) = state.withLock { state -> (Aftermath, TransferMetrics?, Int64?) in
            guard !state.machine.hasEnded else { return (Aftermath(), nil, nil) }
            let error = make(phase(state))
            let metrics = TransferMetrics(
                state.taskMetrics, total: total, requestBytes: requestBytes(state),
                responseBytes: state.machine.received)
            state.machine.finished(error, version: metrics.version)
            state.metrics = metrics
            let aftermath = Aftermath(
                resumes: Self.reachedWaiter(&state), cancels: error == nil || !cancelsTask ? nil : state.task,
                watch: state.watch.take(), upload: state.upload.take())
            return (aftermath, error == nil ? metrics : nil, state.announcedBytes)
        }
        // The last progress report precedes the end.
        if let whole {
            progress?.finished(sent: whole.requestBytes, received: whole.responseBytes, of: announced)
        } else {
            progress?.close()
        }
        aftermath.run()
    }

    private func requestBytes(_ state: State) -> Int64 {
        // URLSession doesn't always report the parts of a body in memory.
        if state.machine.head != nil, case .bytes(let bytes) = request.body { return Int64(bytes.count) }
        return state.requestBytes
    }

    private func phase(_ state: State) -> NetError.Phase {
        if state.machine.head != nil { return .receiving }
        return state.machine.isSending ? .sending : .waiting
    }

    // MARK: Time

    private func watchTime() {
        let watch = Task {
            while !Task.isCancelled, let pause = checkTime() {
                do { try await context.environment.clock.sleep(for: pause) } catch { return }
            }
        }
        let isOver = state.withLock { state in
            if !state.machine.hasEnded { state.watch = watch }
            return state.machine.hasEnded
        }
        if isOver { watch.cancel() }
    }

    /// Returns the time until the next check; nil if no more checks are needed.
    private func checkTime() -> Duration? {
        let now = now
        switch state.withLock({ $0.machine.check(now: now) }) {
        case .again(let pause): return pause
        case .nothing: return nil
        case .late(let lateness):
            end { phase in context.error(.timeout, phase: phase, message: message(lateness)) }
            return nil
        }
    }

    private func message(_ lateness: URLSessionStateMachine.Lateness) -> String {
        switch lateness {
        case .firstByte(let limit):
            "no response byte arrived for \(limit.seconds(places: 3)) s (first-byte timeout)"
        case .sending(let limit):
            "no byte of the request body was sent for \(limit.seconds(places: 3)) s (stall timeout)"
        case .stall(let limit): "no byte of the body arrived for \(limit.seconds(places: 3)) s (stall timeout)"
        case .total:
            "the call took longer than its total timeout of \(context.timeouts.total?.seconds(places: 3) ?? "?") s"
        }
    }
}
#endif
