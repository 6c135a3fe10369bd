#if os(Linux)
internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// A request body that is produced while it's sent: a task pulls the source, the loop takes the available data, and
/// each waits for the other. One chunk is kept at a time. A replayable body restarts when libcurl resends the request;
/// data that the previous task still produces is ignored.
final class Upload: Sendable {
    /// The result of ``fill(_:)``.
    enum FillAction {
        case sent(Int)
        case wait
        case failed(NetError)
    }

    private struct State {
        /// The number of times that the body was restarted.
        var round = 0
        var wake: (@Sendable () -> Void)?
        var chunk: Bytes?
        var offset = 0
        var sent: Int64 = 0
        var end: Result<Void, NetError>?
        var trailers: HTTPFields?
        var hasSentAll = false
        /// True if libcurl asked for data when there was none: it must be resumed when data is available.
        var isStarved = false
        var producer: CheckedContinuation<Void, Never>?
    }

    private let length: Int64?
    /// True if the body can be restarted.
    let isReplayable: Bool
    private let make: @Sendable () throws -> any BodySource
    private let state: Mutex<State>
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(length: Int64?, isReplayable: Bool, make: @escaping @Sendable () throws -> any BodySource) {
        self.length = length
        self.isReplayable = isReplayable
        self.make = make
        // libcurl never asks for a body that is declared as empty.
        state = Mutex(State(hasSentAll: length == 0))
    }

    var isWaitingForProducer: Bool { state.withLock { $0.isStarved } }
    /// The number of bytes that libcurl has taken.
    var sent: Int64 { state.withLock { $0.sent } }
    /// True if libcurl has taken the last byte.
    var hasSentAll: Bool { state.withLock { $0.hasSentAll } }

    /// The error after the last declared byte: there was more data, or the source failed at its end. The server has
    /// received a complete request by then. Nil if there is none.
    var surplus: NetError? {
        state.withLock { state in
            guard state.hasSentAll, case .failure(let error) = state.end else { return nil }
            return error
        }
    }

    /// The trailers, once the source has ended; nil for none.
    var trailers: HTTPFields? { state.withLock { $0.trailers } }

    /// Starts pulling the source. `wake` is called when data is available again after libcurl found none.
    func start(wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
        pull(0, wake)
    }

    /// Restarts the body on the loop's thread when libcurl resends the request; returns false if a part of the body is
    /// gone.
    func rewind() -> Bool {
        typealias Next = (producer: CheckedContinuation<Void, Never>?, round: Int, wake: (@Sendable () -> Void)?)
        let (producer, round, wake) = state.withLock { state -> Next in
            guard state.sent > 0, isReplayable else { return (nil, 0, nil) }
            let producer = state.producer.take()
            state = State(round: state.round + 1, wake: state.wake)
            return (producer, state.round, state.wake)
        }
        guard let wake else { return sent == 0 }
        task.withLock { $0.take() }?.cancel()
        producer?.resume()
        pull(round, wake)
        return true
    }

    private func pull(_ round: Int, _ wake: @escaping @Sendable () -> Void) {
        let pump = Task {
            do {
                let source = try make()
                var offered: Int64 = 0
                while let chunk = try await source.next() {
                    // libcurl would take only the declared number of bytes, and report success.
                    offered += Int64(chunk.count)
                    if let length, offered > length {
                        source.cancel()
                        throw lengthError("is longer than", length)
                    }
                    guard await offer(chunk, round, wake: wake) else {
                        source.cancel()
                        return
                    }
                }
                finish(nil, round, trailers: source.trailers, wake: wake)
            } catch {
                finish(
                    NetError(error)
                        ?? NetError(
                            .encoding, phase: .sending,
                            message: "the request body cannot be read: \(ErrorSummary.describe(error))",
                            underlying: error), round, wake: wake)
            }
        }
        task.withLock { $0 = pump }
    }

    /// Stops the producer, after the transfer has ended.
    func stop() {
        task.withLock { $0.take() }?.cancel()
        // Breaks a reference cycle: the closure references the transfer, which owns this object.
        _ = state.withLock { $0.wake.take() }
        finish(NetError(.cancelled, phase: .sending, message: "the transfer ended before the body did"), wake: {})
    }

    private func offer(_ chunk: Bytes, _ round: Int, wake: @Sendable () -> Void) async -> Bool {
        guard !chunk.isEmpty else { return !Task.isCancelled }
        let (isStarved, isOver) = state.withLock { state in
            if state.end != nil || state.round != round { return (false, true) }
            state.chunk = chunk
            state.offset = 0
            let isStarved = state.isStarved
            state.isStarved = false
            return (isStarved, false)
        }
        if isOver { return false }
        if isStarved { wake() }
        await withCheckedContinuation { continuation in
            let isTaken = state.withLock { state in
                if state.chunk == nil || state.end != nil || state.round != round { return true }
                state.producer = continuation
                return false
            }
            if isTaken { continuation.resume() }
        }
        return state.withLock { $0.end == nil && $0.round == round }
    }

    /// Ends the body. `round` is nil if the end doesn't come from the source.
    private func finish(
        _ error: NetError?, _ round: Int? = nil, trailers: HTTPFields? = nil, wake: @Sendable () -> Void
    ) {
        let (isStarved, producer) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard round == nil || round == state.round else { return (false, nil) }
            if state.end == nil {
                state.end = error.map { .failure($0) } ?? .success(())
                state.trailers = trailers
            }
            let isStarved = state.isStarved
            state.isStarved = false
            return (isStarved, state.producer.take())
        }
        producer?.resume()
        if isStarved { wake() }
    }

    /// Copies available data to libcurl's buffer, on the loop's thread.
    func fill(_ target: UnsafeMutableRawBufferPointer) -> FillAction {
        let (action, producer) = state.withLock { state -> (FillAction, CheckedContinuation<Void, Never>?) in
            guard let chunk = state.chunk else { return (endOrWait(&state), nil) }
            let count = min(chunk.count - state.offset, target.count)
            chunk.withUnsafeBytes {
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[state.offset...].prefix(count)))
            }
            state.offset += count
            state.sent += Int64(count)
            if state.sent == length { state.hasSentAll = true }
            guard state.offset == chunk.count else { return (.sent(count), nil) }
            state.chunk = nil
            return (.sent(count), state.producer.take())
        }
        producer?.resume()
        return action
    }

    private func endOrWait(_ state: inout State) -> FillAction {
        switch state.end {
        case nil:
            state.isStarved = true
            return .wait
        case .failure(let error):
            return .failed(error)
        case .success:
            if let length, state.sent < length { return .failed(lengthError("ended after \(state.sent) of", length)) }
            state.hasSentAll = true
            return .sent(0)
        }
    }

    private func lengthError(_ what: String, _ length: Int64) -> NetError {
        NetError(.encoding, phase: .sending, message: "the request body \(what) its declared \(length) bytes")
    }
}
#endif
