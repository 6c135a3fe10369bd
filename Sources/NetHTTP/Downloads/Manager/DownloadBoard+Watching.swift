internal import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DownloadBoard {
    var tasks: [DownloadTask] {
        let records = state.withLock { Array($0.records.values) }
        return records.sorted { ($0.order, $0.createdAt) < ($1.order, $1.createdAt) }.map(\.task)
    }

    func task(_ id: UUID) -> DownloadTask? { state.withLock { $0.records[id]?.task } }

    func events(_ buffering: ActivityBuffering) -> AsyncStream<DownloadEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DownloadEvent.self, bufferingPolicy: buffering.policy(of: DownloadEvent.self))
        let number = state.withLock { state in
            state.observers.hasEnded ? nil : state.observers.add(events: continuation)
        }
        end(continuation, number)
        return stream
    }

    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let number = state.withLock { state in
            state.observers.hasEnded ? nil : state.observers.add(list: continuation)
        }
        end(continuation, number)
        return stream
    }

    func progress(of id: UUID) -> AsyncStream<Result<DownloadProgress, DownloadError>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Result<DownloadProgress, DownloadError>.self, bufferingPolicy: .bufferingNewest(1))
        let now = clock.now()
        let number = state.withLock { state -> Int? in
            guard var record = state.records[id] else {
                continuation.yield(.failure(.notFound(id)))
                return nil
            }
            if record.task.state == .failed, let error = record.task.error {
                continuation.yield(.failure(error))
                return nil
            }
            continuation.yield(.success(record.progress(at: now)))
            if record.task.state == .completed { return nil }
            if state.observers.hasEnded {
                continuation.yield(.failure(.shutDown))
                return nil
            }
            return state.observers.add(progress: continuation, of: id)
        }
        end(continuation, number, of: id)
        return stream
    }

    func states(of id: UUID) -> AsyncStream<DownloadState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DownloadState.self, bufferingPolicy: ActivityBuffering.standard.policy(of: DownloadState.self))
        let number = state.withLock { state -> Int? in
            guard let task = state.records[id]?.task else { return nil }
            continuation.yield(task.state)
            return task.state.isFinal || state.observers.hasEnded
                ? nil : state.observers.add(states: continuation, of: id)
        }
        end(continuation, number, of: id)
        return stream
    }

    func file(of id: UUID) -> DownloadedFile? { state.withLock { $0.records[id]?.file } }
    func uploadedFile(of id: UUID) -> UploadedFile? { state.withLock { $0.records[id]?.uploaded } }

    private func end<Element>(_ continuation: AsyncStream<Element>.Continuation, _ number: Int?, of id: UUID? = nil) {
        guard let number else { return continuation.finish() }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.observers.remove(number, of: id) }
        }
    }
}

extension DownloadError {
    static func notFound(_ id: UUID) -> DownloadError {
        DownloadError(
            .taskNotFound,
            message: "there is no download with the ID \(CallID(id)); it was removed, or restore() hasn't been called")
    }

    static func networkUnknown(_ network: DownloadNetwork, url: String) -> DownloadError {
        let message =
            network.description == DownloadNetwork.unstored
            ? "the closure that chooses the networks isn't stored; enqueue the transfer again with it"
            : "the transfer may use only some networks (\(network)), but the manager doesn't know the network; set its "
                + "configuration's network, such as to a NetworkMonitor"
        return DownloadError(.networkUnknown, message: message, url: url)
    }

    static var shutDown: DownloadError {
        DownloadError(.shutDown, message: "the download manager was shut down; create another one to continue")
    }
}
