#if os(Linux)
import Foundation
import Testing

@testable import NetStore

/// Closed stores and released signals leave nothing behind in their process.
@Suite(.timeLimit(.minutes(5))) struct LeftoverTests {
    @Test func aClosedStoreLeavesNoDescriptors() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            func open(_ number: Int) async throws {
                let store = try ActivityStore(path: path + "/\(number).sqlite", configuration: .init(retention: .none))
                var tail = store.tail(after: 0).makeAsyncIterator()
                try await store.write(Events.call(number))
                _ = try await tail.next()
                try await store.close()
                _ = try? ActivityReader(path: path + "/none")
            }
            try await open(0)
            let before = try descriptors()
            for number in 1...3 { try await open(number) }
            let after = try descriptors()
            exit(after <= before ? 0 : 1)
        }
    }

    @Test func aSignalThatIsGoneLeavesNoMemory() async {
        await #expect(processExitsWith: .success) {
            func pages() throws -> Int {
                let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            }
            for _ in 0..<1000 { WakeSignal().raise() }
            let before = try pages()
            for _ in 0..<100_000 { WakeSignal().raise() }
            // A thousand pages would be 40 bytes per signal.
            exit(try pages() - before < 700 ? 0 : 1)
        }
    }
}
#endif
