import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Synchronization
import Testing

@testable import NetStore

/// The events that an outbox reports to listeners.
@Suite(.timeLimit(.minutes(5)))
struct OutboxJobTests {
    /// Keeps the events of jobs.
    private final class Listener: ActivityListener {
        private let list = Mutex<[JobActivity]>([])
        var interest: ActivityInterest { .jobs }
        var activities: [JobActivity] { list.withLock { $0 } }
        func record(_ event: ActivityEvent) {}
        func record(_ activity: JobActivity) { list.withLock { $0.append(activity) } }
    }

    /// Closed until it is opened.
    private final class Gate: Sendable {
        private let flag = Mutex(false)
        var isOpen: Bool { flag.withLock { $0 } }
        func open() { flag.withLock { $0 = true } }
    }

    private static let request = Request<Void>(
        "orders", method: .post, body: .text("tea"), options: RequestOptions(metadata: RequestMetadata(name: "order")))

    @Test func `an item is a job with its calls`() async throws {
        let listener = Listener()
        let peer = try OutboxPeer(listeners: [listener]) { _, number in
            StubResponse(status: number == 1 ? .serviceUnavailable : .ok)
        }
        let id = try await peer.outbox.add(Self.request)
        try await peer.sending {
            try await peer.until(id, is: .waiting)
            try await peer.outbox.retry(id)
            _ = try await peer.outbox.outcome(of: id)
        }
        let activities = listener.activities
        try #require(
            activities.map(\.state) == [.queued, .running, .running, .waiting, .queued, .running, .running, .completed])
        #expect(activities.map(\.sequence) == Array(1...8))
        #expect(Set(activities.map(\.job)).count == 1)
        #expect(activities.allSatisfy { $0.kind == .outbox })
        #expect(activities.allSatisfy { $0.title == "order" && $0.url == "/orders" })
        #expect(activities.map(\.attempts) == [0, 1, 1, 1, 1, 2, 2, 2])
        #expect(activities.compactMap(\.call).count == 2)
        #expect(activities[2].call != nil)
        #expect(activities[6].call != nil)
        #expect(activities[3].failure?.code == .unacceptableStatus)
        #expect(activities[7].failure == nil)
        await peer.outbox.close()
    }

    @Test func `a parked item has failed, and is another job when it's retried`() async throws {
        let listener = Listener()
        let peer = try OutboxPeer(listeners: [listener]) { _, _ in StubResponse(status: .badRequest) }
        let id = try await peer.outbox.add(Self.request)
        try await peer.sending { try await peer.until(id, is: .parked) }
        try await peer.outbox.retry(id)
        try await peer.outbox.drop(id)
        let activities = listener.activities
        let jobs = activities.reduce(into: [CallID]()) { if !$0.contains($1.job) { $0.append($1.job) } }
        try #require(jobs.count == 2)
        let states = jobs.map { job in activities.filter { $0.job == job }.map(\.state) }
        #expect(states == [[.queued, .running, .running, .failed], [.queued, .cancelled]])
        #expect(activities.filter { $0.job == jobs[1] }.map(\.sequence) == [1, 2])
        await peer.outbox.close()
    }

    @Test(arguments: [true, false]) func `an item that is dropped while it's sent is cancelled once`(_ isOwn: Bool)
        async throws
    {
        let listener = Listener()
        let mayAnswer = Gate()
        let peer = try OutboxPeer(listeners: [listener]) { _, _ in
            while !mayAnswer.isOpen { try await Task.sleep(for: .milliseconds(1)) }
            return StubResponse()
        }
        let other = try Outbox(path: peer.outbox.path)
        let id = try await peer.outbox.add(Self.request, orderKey: "a")
        let next = try await peer.outbox.add(Self.request, orderKey: "a")
        try await peer.sending {
            try await peer.until { peer.received.count == 1 }
            try await (isOwn ? peer.outbox : other).drop(id)
            mayAnswer.open()
            _ = try await peer.outbox.outcome(of: next)
        }
        let first = listener.activities.filter { $0.job == listener.activities.first?.job }
        #expect(first.map(\.state) == [.queued, .running, .running, .cancelled])
        #expect(first.map(\.sequence) == [1, 2, 3, 4])
        #expect(try await peer.outbox.item(id: id)?.state == .dropped)
        #expect(peer.received.count == 2)
        await other.close()
        await peer.outbox.close()
    }

    @Test func `an activity store shows the job with the calls that it made`() async throws {
        let folder = try TemporaryFolder()
        // The job's date, that of the test's clock, is past the retention by now.
        let store = try ActivityStore(at: folder.file())
        let peer = try OutboxPeer(folder: folder, listeners: [store]) { _, _ in StubResponse() }
        let id = try await peer.outbox.add(Self.request)
        _ = try await peer.sending { try await peer.outbox.outcome(of: id) }
        try await store.flush()
        let job = try #require(try await store.items(matching: .job).first)
        #expect(job.outcome == .completed)
        #expect(job.name == "order")
        #expect(job.url == "/orders")
        #expect(job.attempts == 1)
        let detail = try #require(try await store.item(uid: job.uid, kind: .job))
        #expect(detail.owned.map(\.kind) == [.call])
        #expect(detail.owned.first?.owner == job.uid)
        await peer.outbox.close()
        try await store.close()
    }
}
