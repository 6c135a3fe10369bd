public import NetCore
internal import Synchronization

/// Lets so many requests to one origin be on their way at once; the others wait, by priority
/// (``NetCore/RequestOptions/priority``) and then in the order in which they came.
///
/// A request has its place until its body has ended. One that finds ``maximumWaiting`` others fails at once with `.limited`,
/// and one that is cancelled leaves the line.
///
///     let client = HTTPClient(
///         configuration: .init(
///             baseURL: "https://api.example.com", middleware: [ConcurrencyLimitMiddleware(limit: 8)]))
public struct ConcurrencyLimitMiddleware: Middleware {
    /// How many are on their way at once, at least 1.
    public let limit: Int
    /// How many may wait. Default 10,000.
    public let maximumWaiting: Int
    private let line = ConcurrencyLine()

    /// Takes the limits.
    public init(limit: Int, maximumWaiting: Int = 10_000) {
        self.limit = max(1, limit)
        self.maximumWaiting = max(0, maximumWaiting)
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        let origin = request.origin
        guard try await enter(origin, request.options.priority, context) else {
            throw context.error(
                .limited, phase: .queued,
                message: "\(maximumWaiting) requests wait for one of the \(limit) places to \(origin) already")
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
        let id = line.makeID()
        switch line.enter(id, origin, priority, limit: limit, maximumWaiting: maximumWaiting) {
        case .goes: return true
        case .isFull: return false
        case .waits:
            let goes = await context.unlessEnded { [line] in await line.wait(id, origin) }
            guard goes else {
                try context.checkLife(.queued)
                throw context.error(.cancelled, phase: .queued, message: "the call was cancelled while it waited")
            }
            // Ended while it was let through: its place is another's.
            do { try context.checkLife(.queued) } catch {
                line.leave(origin)
                throw error
            }
            return true
        }
    }
}

/// The queues of all origins and the tasks that wait in them.
private final class ConcurrencyLine: Sendable {
    enum Entry { case goes, waits, isFull }

    private struct State {
        var nextID = 0
        var queues: [String: ConcurrencyQueue] = [:]
        var tasks: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// Let through, or cancelled, before they waited.
        var early: [Int: Bool] = [:]
    }

    private let state = Mutex(State())

    func makeID() -> Int {
        state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
    }

    func enter(
        _ id: Int, _ origin: String, _ priority: RequestPriority, limit: Int, maximumWaiting: Int
    ) -> Entry {
        state.withLock { state in
            if state.queues[origin, default: ConcurrencyQueue()].enter(id, priority, limit: limit) { return .goes }
            if let waiting = state.queues[origin]?.waiting, waiting > maximumWaiting {
                _ = state.queues[origin]?.remove(id)
                return .isFull
            }
            return .waits
        }
    }

    /// Waits for a place; false when the task was cancelled.
    func wait(_ id: Int, _ origin: String) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = state.withLock { state in
                    if let early = state.early.removeValue(forKey: id) { return early as Bool? }
                    state.tasks[id] = continuation
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            let task = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                // Let through already: it goes, and finds out that it was cancelled.
                guard state.queues[origin]?.remove(id) == true else { return nil }
                if let task = state.tasks.removeValue(forKey: id) { return task }
                state.early[id] = false
                return nil
            }
            task?.resume(returning: false)
        }
    }

    func leave(_ origin: String) {
        let task = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let next = state.queues[origin]?.leave() else {
                // Origins without requests are forgotten.
                if state.queues[origin]?.isIdle == true { state.queues[origin] = nil }
                return nil
            }
            if let task = state.tasks.removeValue(forKey: next) { return task }
            state.early[next] = true
            return nil
        }
        task?.resume(returning: true)
    }
}
