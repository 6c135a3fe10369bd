import Foundation
import NetCore
import Testing

@testable import NetStore

/// A tail of the changes that other processes make to the file.
@Suite(.timeLimit(.minutes(2)))
struct TailProcessTests {
    private static let calls = 50_000
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Reads elements until the entry with this number has arrived. Returns the numbers of all, with -count for each
    /// gap.
    private func take(until last: Int64, _ tail: inout ActivityTail.AsyncIterator) async throws -> [Int64] {
        var (seen, position) = ([Int64](), Int64(0))
        while position < last, let element = try await tail.next() {
            switch element {
            case .item(let item):
                seen.append(item.id)
                position = item.id
            case .gap(let count):
                seen.append(-Int64(count))
                position += Int64(count)
            }
        }
        return seen
    }

    /// Runs a process that writes calls, in batches of its own choice, and kills itself or ends normally.
    private static func write(_ numbers: Range<Int>, into file: String, isKilled: Bool = false) async {
        await #expect(processExitsWith: isKilled ? .signal(SIGKILL) : .success) {
            [
                file = file as String, from = numbers.lowerBound as Int, to = numbers.upperBound as Int,
                isKilled = isKilled as Bool
            ] in
            let store = try ActivityStore(at: file)
            for start in stride(from: from, to: to, by: 2000) {
                for number in start..<min(start + 2000, to) {
                    for event in Events.call(number) { store.record(event) }
                }
                try await store.flush()
            }
            if isKilled { kill(getpid(), SIGKILL) }
            try await store.close()
        }
    }

    @Test func allThatAnotherProcessWritesComesOnceAndInTheOrderOfItsCommits() async throws {
        let file = folder.file()
        try await ActivityStore(at: file).close()
        let reader = try ActivityReader(path: file)
        var tail = reader.tail(after: 0).makeAsyncIterator()
        async let writer: Void = Self.write(0..<Self.calls, into: file)
        let seen = try await take(until: Int64(Self.calls), &tail)
        #expect(seen == Array(1...Int64(Self.calls)))
        await writer
        await reader.close()
    }

    @Test func aWriterThatComesAgainIsFollowed() async throws {
        let file = folder.file()
        try await ActivityStore(at: file).close()
        let reader = try ActivityReader(path: file)
        var tail = reader.tail(after: 0).makeAsyncIterator()
        for (round, isKilled) in [true, false, true, false].enumerated() {
            // It waits for a change of the file while no process writes.
            async let writer: Void = Self.write(round * 10..<round * 10 + 10, into: file, isKilled: isKilled)
            for number in 1...10 {
                guard case .item(let item) = try await tail.next() else {
                    Issue.record("an entry is missing in round \(round)")
                    break
                }
                #expect(item.id == Int64(round * 10 + number))
                #expect(item.uid == Events.id(round * 10 + number - 1))
            }
            await writer
        }
        await reader.close()
    }

    @Test func entriesDeletedBeforeTheTailReadsThemAreReportedAsAGap() async throws {
        let file = folder.file()
        try await ActivityStore(at: file).close()
        let reader = try ActivityReader(path: file)
        var tail = reader.tail(after: 0).makeAsyncIterator()
        async let first: Void = Self.write(0..<3000, into: file)
        let before = try await take(until: 10, &tail)
        await first
        await #expect(processExitsWith: .success) { [file = file as String] in
            let retention = ActivityStore.Retention(age: nil, entries: 500)
            let store = try ActivityStore(path: file, configuration: .init(retention: retention))
            try await store.prune()
            try await store.close()
        }
        async let second: Void = Self.write(3000..<4000, into: file)
        let after = try await take(until: 4000, &tail)
        await second
        #expect(before == Array(1...10))
        // The entries read before; then a gap; then all remaining entries, and the later ones.
        let gap = try #require(after.firstIndex { $0 < 0 })
        let (known, missing) = (Int64(gap), -after[gap])
        let rest = 11 + known + missing
        #expect(missing > 1000, "\(missing) entries are missing before \(rest)")
        #expect(rest == 2501, "\(missing) entries are missing before \(rest)")
        #expect(Array(after.prefix(gap)) == Array(11..<11 + known))
        #expect(Array(after.suffix(from: gap + 1)) == Array(rest...4000))
        await reader.close()
    }

    #if os(Linux)
    @Test func anIdleTailNeverWakes() async throws {
        let store = try ActivityStore(at: folder.file())
        let process = Process()
        let output = folder.file("tailed")
        try Data().write(to: URL(fileURLWithPath: output))
        process.executableURL = URL(fileURLWithPath: Command.product("net-activity"))
        process.arguments = ["tail", folder.file(), "--last", "1", "--count", "2", "--json"]
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        try process.start()
        try await store.write(Events.call(0))
        while try Data(contentsOf: URL(fileURLWithPath: output)).isEmpty, process.isRunning, !Task.isCancelled {
            await Task.yield()
        }
        // It checks once more after the entry, and then nothing happens: none of its threads runs for half a second.
        var (before, now) = ("", try switches(of: process.processIdentifier))
        for _ in 0..<20 where before != now {
            before = now
            try await Task.sleep(for: .milliseconds(500))
            now = try switches(of: process.processIdentifier)
        }
        #expect(before == now, "it wakes all the time: \(now)")
        #expect(!now.isEmpty, "it wakes all the time: \(now)")
        try await store.write(Events.call(1))
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        try await store.close()
    }

    /// Returns how often the threads of a process have been scheduled.
    private func switches(of pid: Int32) throws -> String {
        let folder = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { task in
            let status = try String(contentsOfFile: "\(folder)/\(task)/status", encoding: .utf8)
            return status.split(separator: "\n").filter { $0.contains("ctxt_switches") }.joined(separator: " ")
        }.joined(separator: "; ")
    }
    #endif
}
