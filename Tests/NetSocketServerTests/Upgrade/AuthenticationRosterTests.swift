#if Server
import Testing

@testable import NetSocketServer

struct AuthenticationRosterTests {
    var roster = AuthenticationRoster(maximumCount: 2)

    private mutating func enter(_ path: String, _ deadline: Duration) throws -> AuthenticationRoster.ID {
        let id = roster.enter(path: path, until: deadline)
        return try #require(id)
    }

    @Test mutating func `An abandoned closure keeps its place until it returns`() throws {
        let first = try enter("/a", .seconds(1))
        let second = try enter("/b", .seconds(1))
        let third = roster.enter(path: "/a", until: .seconds(1))
        #expect(third == nil)
        let isNew = roster.abandon(first)
        #expect(isNew)
        let isStillFull = roster.enter(path: "/a", until: .seconds(1))
        #expect(isStillFull == nil)
        #expect(roster.paths == ["/a": 1, "/b": 1])
        roster.leave(first)
        #expect(roster.paths == ["/b": 1])
        let next = roster.enter(path: "/a", until: .seconds(1))
        #expect(next != nil)
        #expect(roster.isWanted(second))
    }

    @Test mutating func `A handshake is abandoned once, and not after its closure has returned`() throws {
        let first = try enter("/", .seconds(1))
        let second = try enter("/", .seconds(1))
        var results = [roster.abandon(first), roster.abandon(first)]
        roster.leave(second)
        results.append(roster.abandon(second))
        #expect(results == [true, false, false])
    }

    @Test mutating func `Only handshakes that wait can be overdue`() throws {
        let first = try enter("/", .seconds(1))
        let second = try enter("/", .seconds(2))
        #expect(roster.overdue(at: .milliseconds(999)) == [])
        #expect(roster.overdue(at: .seconds(1)) == [first])
        #expect(roster.overdue(at: .seconds(2)) == [first, second])
        _ = roster.abandon(first)
        #expect(roster.overdue(at: .seconds(2)) == [second])
        #expect(roster.wanted == [second])
    }

    @Test func `Without a maximum, there is a place for each`() {
        var roster = AuthenticationRoster(maximumCount: nil)
        for _ in 0..<5000 { _ = roster.enter(path: "/", until: .zero) }
        #expect(roster.count == 5000)
    }

    @Test func `Running jobs are counted by path, in slots that are used again`() {
        var jobs = RunningJobs()
        let slots = [jobs.add("/a"), jobs.add("/b"), jobs.add("/a")]
        #expect(jobs.paths == ["/a": 2, "/b": 1])
        jobs.remove(slots[0])
        #expect(jobs.paths == ["/a": 1, "/b": 1])
        #expect(jobs.add("/c") == slots[0])
        #expect(jobs.paths == ["/a": 1, "/b": 1, "/c": 1])
    }
}
#endif
