import Dispatch
import Foundation
import NetCore
import Synchronization
import Testing

@testable import NetHTTP

/// Running and finished work.
private final class Counts: Sendable {
    private let counts = Mutex((running: 0, most: 0, done: 0))
    var most: Int { counts.withLock { $0.most } }
    var done: Int { counts.withLock { $0.done } }

    func begin() {
        counts.withLock {
            $0.running += 1
            $0.most = max($0.most, $0.running)
        }
    }

    func end() {
        counts.withLock {
            $0.running -= 1
            $0.done += 1
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct DownloadThreadsTests {
    @Test func twoPiecesOfWorkRunAtATime() async throws {
        let threads = DownloadThreads()
        let counts = Counts()
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    try await threads.run { () throws(DownloadError) in
                        counts.begin()
                        for _ in 0..<50 { sched_yield() }
                        counts.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(counts.most <= 2)
        #expect(counts.done == 50)
        // Each of them waits for the other one.
        let (one, two) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        #expect(
            threads.post {
                one.signal()
                two.wait()
            })
        try await threads.run { () throws(DownloadError) in
            one.wait()
            two.signal()
        }
    }

    @Test func aDiskThatHangsHoldsUpNoOtherManager() async throws {
        let gate = DispatchSemaphore(value: 0)
        let (stuck, other) = (DownloadThreads(), DownloadThreads())
        for _ in 0..<2 { #expect(stuck.post { gate.wait() }) }
        #expect(try await other.run { () throws(DownloadError) in 7 } == 7)
        #expect(try await FileThreads.shared.run { () throws(NetError) in 8 } == 8)
        for _ in 0..<2 { gate.signal() }
        #expect(try await stuck.run { () throws(DownloadError) in 9 } == 9)
    }

    @Test func afterTheEndNothingIsAcceptedAndWhatWasIsDone() async throws {
        let threads = DownloadThreads()
        let gate = DispatchSemaphore(value: 0)
        let counts = Counts()
        for _ in 0..<4 {
            #expect(
                threads.post {
                    gate.wait()
                    counts.begin()
                    counts.end()
                })
        }
        threads.end()
        for _ in 0..<4 { gate.signal() }
        let error = await #expect(throws: DownloadError.self) {
            try await threads.run { () throws(DownloadError) in 1 }
        }
        #expect(error?.code == .shutDown)
        #expect(!threads.post {})
        while counts.done < 4, !Task.isCancelled { await Task.yield() }
    }

    @Test func theThreadsEndWithTheirOwner() async throws {
        weak var threads: FileThreads?
        do {
            let owner = DownloadThreads()
            try await owner.run { () throws(DownloadError) in }
            threads = owner.threads
            #expect(threads != nil)
        }
        // Each thread retains them until it ends.
        while threads != nil, !Task.isCancelled { await Task.yield() }
    }

    @Test func errorsThrownByTheWorkArePropagated() async {
        let threads = DownloadThreads()
        let error = await #expect(throws: DownloadError.self) {
            try await threads.run { () throws(DownloadError) -> Int in throw DownloadError(.changed, message: "x") }
        }
        #expect(error?.code == .changed)
    }
}
