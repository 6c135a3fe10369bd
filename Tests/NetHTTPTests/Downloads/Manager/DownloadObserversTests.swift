import Foundation
import NetCore
import Testing

@testable import NetHTTP

@Suite struct DownloadObserversTests {
    private func record() throws -> DownloadRecord {
        let request = DownloadRequest("https://a.test/x")
        let task = DownloadTask(id: UUID(), request: request, createdAt: Date(timeIntervalSince1970: 5))
        return DownloadRecord(task, request, try DownloadPlace(request.url), order: 7)
    }

    /// One of several observers of the same download leaves; the others stay.
    @Test func eachOfSeveralIsToldUntilItLeaves() async throws {
        var observers = DownloadObservers()
        var record = try record()
        let id = record.task.id
        let states = (0..<2).map { _ in AsyncStream.makeStream(of: DownloadState.self) }
        let progress = (0..<2).map { _ in AsyncStream.makeStream(of: Result<DownloadProgress, DownloadError>.self) }
        let numbers = states.map { observers.add(states: $0.continuation, of: id) }
        let others = progress.map { observers.add(progress: $0.continuation, of: id) }
        #expect(Set(numbers + others).count == 4)
        observers.remove(numbers[0], of: id)
        observers.remove(others[0], of: id)
        record.task.state = .paused
        var effects = DownloadEffects()
        observers.tell(record, .state(.paused), DownloadProgress(bytes: 5), &effects)
        record.task.state = .cancelled
        observers.tell(record, .state(.cancelled), nil, &effects)
        effects.run()
        for each in states { each.continuation.finish() }
        for each in progress { each.continuation.finish() }
        let seen = await [
            states[0].stream.reduce(0) { sum, _ in sum + 1 }, states[1].stream.reduce(0) { sum, _ in sum + 1 },
        ]
        #expect(seen == [0, 2])
        let told = await [
            progress[0].stream.reduce(0) { sum, _ in sum + 1 }, progress[1].stream.reduce(0) { sum, _ in sum + 1 },
        ]
        #expect(told == [0, 2], "the progress, and the end")
    }
}
