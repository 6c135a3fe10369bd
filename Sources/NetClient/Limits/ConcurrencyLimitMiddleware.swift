public import NetCore
internal import Synchronization

/// Limits the number of concurrent requests to each origin; further ones wait, ordered by priority
/// (``NetCore/RequestOptions/priority``) and then by arrival.
///
/// A request counts until the end of its response's body. A request that finds ``maximumWaiting`` others waiting fails
/// immediately with `.limited`, and a cancelled one leaves the queue.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [ConcurrencyLimitMiddleware(limit: 8)]
///     }
public struct ConcurrencyLimitMiddleware: Middleware {
    /// The maximum number of concurrent requests to an origin, at least 1.
    public let limit: Int
    /// The maximum number of waiting requests to an origin. Default 10,000.
    public let maximumWaiting: Int
    private let line = ConcurrencyLine()

    /// Creates a middleware.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of concurrent requests to an origin; values below 1 become 1.
    ///   - maximumWaiting: The maximum number of waiting requests to an origin; negative values become 0. Default
    ///     10,000.
    public init(limit: Int, maximumWaiting: Int = 10_000) {
        self.limit = max(1, limit)
        self.maximumWaiting = max(0, maximumWaiting)
    }

    public var endsWithCall: Bool { true }

    /// The number of requests that wait.
    package var waitingCount: Int { line.waitingCount }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        let origin = request.origin
        guard try await enter(origin, request.options.priority, context) else {
            throw context.error(
                .limited, phase: .queued,
                message: "\(maximumWaiting) requests are already waiting for one of the \(limit) slots for \(origin)")
        }
        do {
            var response = try await next(request, context)
            response.body = response.body.onEnd { [line] _ in line.leave(origin) }
            return response
        } catch {
            line.leave(origin)
            throw error
        }
    }

    private func enter(
        _ origin: String, _ priority: RequestPriority, _ context: CallContext
    ) async throws -> Bool {
        switch line.enter(origin, priority, limit: limit, maximumWaiting: maximumWaiting) {
        case .goes: return true
        case .isFull: return false
        case .waits(let waiter):
            let goes = await context.untilEnded { [line] in
                await line.wait(waiter)
            } giveUp: { [line] in
                line.cancel(waiter, origin)
            }
            do {
                try context.checkLife(.queued)
            } catch {
                // The call ended when it was admitted, so its place goes to another request.
                if goes { line.leave(origin) }
                throw error
            }
            guard goes else {
                throw context.error(.cancelled, phase: .queued, message: "the call was cancelled while it waited")
            }
            return true
        }
    }
}

/// The queues of all origins, and the tasks that wait in them.
private final class ConcurrencyLine: Sendable {
    typealias Waiter = WaiterList<Bool>.ID

    enum Entry {
        case goes, isFull
        case waits(Waiter)
    }

    private struct State {
        var queues: [String: ConcurrencyQueue<Waiter>] = [:]
        var tasks = WaiterList<Bool>()
    }

    private let state = Mutex(State())

    var waitingCount: Int { state.withLock { $0.queues.values.reduce(0) { $0 + $1.waiting } } }

    func enter(_ origin: String, _ priority: RequestPriority, limit: Int, maximumWaiting: Int) -> Entry {
        state.withLock { state in
            if state.queues[origin, default: ConcurrencyQueue()].enter(limit: limit) { return .goes }
            guard state.queues[origin]?.waiting ?? 0 < maximumWaiting else { return .isFull }
            let waiter = state.tasks.register()
            state.queues[origin]?.wait(waiter, priority)
            return .waits(waiter)
        }
    }

    /// Waits to be admitted; returns false if the wait was cancelled first.
    func wait(_ waiter: Waiter) async -> Bool {
        await withUnsafeContinuation { continuation in
            state.withLock { $0.tasks.suspend(waiter, continuation, fallback: false) }?.resume()
        }
    }

    /// Removes a waiting task from the queue. A task that was already admitted continues, and detects the cancellation
    /// itself.
    func cancel(_ waiter: Waiter, _ origin: String) {
        state.withLock { state in
            state.queues[origin]?.remove(waiter) == true ? state.tasks.release(waiter, with: false) : nil
        }?.resume()
    }

    func leave(_ origin: String) {
        state.withLock { state -> WaiterList<Bool>.Waiter? in
            if let next = state.queues[origin]?.leave() { return state.tasks.release(next, with: true) }
            // Remove origins without requests.
            if state.queues[origin]?.isIdle == true { state.queues[origin] = nil }
            return nil
        }?.resume()
    }
}
