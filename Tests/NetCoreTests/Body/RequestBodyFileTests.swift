import Foundation
import NetCore
import TestSupport
import Testing

/// A folder that is removed when the test ends.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "net-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ data: Data, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try data.write(to: URL(fileURLWithPath: file))
        return file
    }
}

@Suite struct RequestBodyFileTests {
    private func stream(
        _ body: RequestBody
    ) throws -> (length: Int64?, isReplayable: Bool, make: @Sendable () throws -> any BodySource, type: String?) {
        let resolved = try body.resolved(with: .standard)
        guard case .stream(let length, let isReplayable, let make) = resolved.content else {
            throw NetError(.unknown, phase: .preparing, message: "no stream")
        }
        return (length, isReplayable, make, resolved.contentType)
    }

    @Test func aFileIsReadAnewForEachAttemptAndItsLengthIsKnown() async throws {
        let folder = try TemporaryFolder()
        let data = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let path = try folder.write(data, to: "a.JSON")
        let body = try stream(.file(path))
        #expect(body.length == 700_000)
        #expect(body.isReplayable)
        #expect(body.type == "application/json")
        for _ in 0..<2 {
            let bytes = try await ResponseBody(source: body.make()).collect(upTo: 1 << 20)
            #expect(bytes.data == data)
        }
        #expect(try stream(.file(path, contentType: "x/y")).type == "x/y")
        let empty = try stream(.file(try folder.write(Data(), to: "empty")))
        #expect(empty.length == 0)
        #expect(empty.type == "application/octet-stream")
        #expect(try await ResponseBody(source: empty.make()).collect(upTo: 1).isEmpty)
    }

    @Test func unreadableFilesFailBeforeSending() throws {
        let folder = try TemporaryFolder()
        for path in ["\(folder.path)/absent", folder.path, "/dev/null", ""] {
            let error = #expect(throws: NetError.self) { try RequestBody.file(path).resolved(with: .standard) }
            #expect(error?.code == .encoding)
            #expect(error?.phase == .preparing)
            #expect(error?.message.contains("\"\(path)\"") == true)
        }
    }

    @Test func aPathIsNotCutAtANUL() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data("x".utf8), to: "a") + "\0.txt"
        let form = MultipartForm([.file("f", path: path, filename: "a", contentType: "a/b")])
        for body in [RequestBody.file(path), .multipart(form)] {
            let error = #expect(throws: NetError.self) { try body.resolved(with: .standard) }
            #expect(error?.code == .encoding)
            #expect(error?.message.contains("NUL") == true)
        }
        let error = await #expect(throws: NetError.self) { try await MediaType.ofFile(path) }
        #expect(error?.message.contains("NUL") == true)
    }

    #if os(Linux)
    @Test func aFileThatSaysItIsEmptyAndIsNotIsRefused() throws {
        let error = #expect(throws: NetError.self) { try RequestBody.file("/proc/version").resolved(with: .standard) }
        #expect(error?.code == .encoding)
        #expect(error?.message.contains("stream") == true)
    }
    #endif

    @Test func aFIFOIsRefusedAndDoesNotHang() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/fifo"
        _ = try await Tool.run(["mkfifo", path])
        #expect(throws: NetError.self) { try RequestBody.file(path).resolved(with: .standard) }
        let source = FileBodySource(path: path, length: 5)
        await #expect(throws: NetError.self) { try await source.next() }
    }

    @Test func aFileThatShrinksOrVanishesIsAnErrorAndOneThatGrowsIsCut() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(repeating: 1, count: 600_000), to: "f")
        let body = try stream(.file(path))
        let first = try body.make()
        #expect(try await first.next()?.count == FileBodySource.pieceBytes)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: 400_000)
        let error = await #expect(throws: NetError.self) { while try await first.next() != nil {} }
        #expect(error?.code == .encoding)
        #expect(error?.message.contains("shrank to 400000 of 600000") == true)
        try handle.truncate(atOffset: 900_000)
        #expect(try await ResponseBody(source: body.make()).collect(upTo: 1 << 20).count == 600_000)
        try FileManager.default.removeItem(atPath: path)
        let gone = await #expect(throws: NetError.self) { try await body.make().next() }
        #expect(gone?.code == .encoding)
        #expect(gone?.message.contains(path) == true)
    }

    @Test func aCancelledBodyReadsNoMoreAndClosesItsFile() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(repeating: 1, count: 600_000), to: "f")
        let source = FileBodySource(path: path, length: 600_000)
        _ = try await source.next()
        #expect(Self.isOpen(path))
        source.cancel()
        #expect(!Self.isOpen(path))
        let error = await #expect(throws: NetError.self) { try await source.next() }
        #expect(error?.code == .cancelled)
    }

    /// Returns true if this process has the file open.
    private static func isOpen(_ path: String) -> Bool {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
        }
    }

    @Test func filesAreReadOffTheCooperativePool() async throws {
        // The number of blocked readers equals that of the pool's threads: they would block this test if they ran
        // there.
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await FileThreads.shared.run { gate.wait() } } }
            while gate.waiting < 4, !Task.isCancelled { await Task.yield() }
            let answer = await Task { 42 }.value
            #expect(answer == 42)
            gate.open()
            try await group.waitForAll()
        }
        let after = try await FileThreads.shared.run { 7 }
        #expect(after == 7)
    }
}

/// Blocks threads until it is opened.
private final class Gate: Sendable {
    private let condition = NSCondition()
    nonisolated(unsafe) private var isOpen = false
    nonisolated(unsafe) private var count = 0

    var waiting: Int {
        condition.lock()
        defer { condition.unlock() }
        return count
    }

    func wait() {
        condition.lock()
        count += 1
        while !isOpen { condition.wait() }
        condition.unlock()
    }

    func open() {
        condition.lock()
        isOpen = true
        condition.broadcast()
        condition.unlock()
    }
}
