#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import NetCore

/// Returns the number of this process's descriptors for a file.
private func openCount(of path: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        return target?.hasPrefix(path) == true
    }
}

private func error(_ body: () throws -> Void) -> NetError? {
    do {
        try body()
        return nil
    } catch {
        return error as? NetError
    }
}

/// A test's own folder.
private func folder(_ name: String) throws -> String {
    let path = ScratchFolder.file("files-" + name)
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
}

@Suite struct ReadableFileTests {
    @Test func partsOfAFileAreRead() throws {
        let path = try folder("read") + "/text"
        try Data("0123456789".utf8).write(to: URL(filePath: path))
        do {
            let file = try ReadableFile(path: path)
            #expect(file.length == 10)
            #expect(openCount(of: path) == 1)
            for (offset, count, text) in [
                (0, 10, "0123456789"), (0, 4, "0123"), (3, 4, "3456"), (8, 4, "89"), (10, 4, ""), (99, 1, ""),
                (5, 0, ""),
            ] {
                #expect(try file.read(at: Int64(offset), count: count) == Bytes(text.utf8))
            }
        }
        #expect(openCount(of: path) == 0)
        #expect(try ReadableFile.length(path: path) == 10)
    }

    @Test func anEmptyFileHasNoLength() throws {
        let path = try folder("empty") + "/text"
        try Data().write(to: URL(filePath: path))
        #expect(try ReadableFile.length(path: path) == 0)
        #expect(try ReadableFile(path: path).length == 0)
        #expect(openCount(of: path) == 0)
        // Files of the kernel have a length of 0 although they contain text.
        let irregular = error { _ = try ReadableFile.length(path: "/proc/self/status") }
        #expect(irregular?.message.contains("isn't a regular file") == true)
    }

    @Test func unusableFilesAreRejectedAndClosed() throws {
        let path = try folder("irregular")
        let bodies: [(String) throws -> Void] = [
            { _ = try ReadableFile(path: $0) }, { _ = try ReadableFile.length(path: $0) },
        ]
        for body in bodies {
            let isFolder = error { try body(path) }
            #expect(isFolder?.code == .encoding)
            #expect(isFolder?.phase == .preparing)
            #expect(
                isFolder?.message == "\"\(path)\" isn't a regular file, so its length is unknown; send it as a stream")
            #expect(openCount(of: path) == 0)
            let isMissing = error { try body(path + "/none") }
            #expect(isMissing?.message == "the file \"\(path)/none\" cannot be read: No such file or directory")
            let isCut = error { try body("/a\0b") }
            #expect(isCut?.message == "the path \"/a\\0b\" contains a NUL character, which a path can't")
        }
    }

    @Test func aURLOfAFileIsItsPath() throws {
        #expect(URL(filePath: "/a b/c").filePath == "/a b/c")
        #expect("x/y".filePath == "x/y")
        #expect(try #require(URL(string: "https://h/x")).filePath == "https://h/x")
    }
}

@Suite struct PrivateFileTests {
    @Test func aFileIsReplacedAsAWhole() throws {
        let path = try folder("replace") + "/state"
        #expect(try PrivateFile.contents(of: path, upTo: 10) == nil)
        try PrivateFile.replace(path, with: Bytes("first".utf8))
        try PrivateFile.replace(path, with: Bytes("2nd".utf8))
        #expect(try PrivateFile.contents(of: path, upTo: 10) == Bytes("2nd".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(openCount(of: path) == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: (path as NSString).deletingLastPathComponent)
        #expect(names == ["state"], "no draft is left")
    }

    @Test func aFileIsReadUpToItsLimit() throws {
        let path = try folder("limit") + "/state"
        try Data(repeating: 7, count: 100_000).write(to: URL(filePath: path))
        #expect(try PrivateFile.contents(of: path, upTo: 100_000) == Bytes([UInt8](repeating: 7, count: 100_000)))
        let tooLong = error { _ = try PrivateFile.contents(of: path, upTo: 99_999) }
        #expect(tooLong?.code == .file)
        #expect(tooLong?.message.contains("more than 99999 bytes") == true)
        #expect(openCount(of: path) == 0)
    }

    @Test func readAndWriteErrorsAreReported() throws {
        let path = try folder("refused")
        let isFolder = error { _ = try PrivateFile.contents(of: path, upTo: 9) }
        #expect(isFolder?.code == .file)
        #expect(isFolder?.message == "\"\(path)\" isn't a regular file")
        #expect(openCount(of: path) == 0)
        let below = error { () throws(NetError) in
            _ = try PrivateFile.contents(of: path + "/a\u{0}".prefix(2) + "/b", upTo: 9)
        }
        #expect(below == nil)
        try Data("x".utf8).write(to: URL(filePath: path + "/file"))
        let inFile = error { _ = try PrivateFile.contents(of: path + "/file/x", upTo: 9) }
        #expect(inFile?.code == .file)
        #expect(inFile?.phase == .preparing)
        #expect(inFile?.message == "the file \"\(path)/file/x\" cannot be read: Not a directory")
        let noFolder = error { try PrivateFile.replace(path + "/none/x", with: []) }
        #expect(noFolder?.message == "the file \"\(path)/none/x\" cannot be written: No such file or directory")
        // A folder can't be replaced: the draft is removed.
        try FileManager.default.createDirectory(atPath: path + "/sub", withIntermediateDirectories: false)
        let overFolder = error { try PrivateFile.replace(path + "/sub", with: [1]) }
        #expect(overFolder?.message.hasPrefix("the file \"\(path)/sub\" cannot be written: ") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["file", "sub"])
        #expect(openCount(of: path) == 0)
    }

    @Test func aDraftIsTheFileOnlyWhenItIsWhole() throws {
        let path = try folder("draft")
        let draft = try FileDraft(of: path + "/text")
        try draft.append([])
        try draft.append(Bytes("ab".utf8))
        try draft.append(Bytes("c".utf8))
        #expect(!FileManager.default.fileExists(atPath: path + "/text"))
        #expect(openCount(of: path) == 1)
        try draft.commit()
        #expect(try String(contentsOfFile: path + "/text", encoding: .utf8) == "abc")
        #expect(openCount(of: path) == 0)
        let dropped = try FileDraft(of: path + "/text")
        try dropped.append(Bytes("x".utf8))
        dropped.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["text"])
        #expect(openCount(of: path) == 0)
        #expect(try String(contentsOfFile: path + "/text", encoding: .utf8) == "abc")
    }

    @Test func aDiskThatIsFullIsTold() throws {
        // Writing to it always fails.
        let descriptor = open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        guard descriptor >= 0 else { return }
        let path = try folder("full") + "/text"
        let draft = try FileDraft(of: path)
        let own = (0..<1024).first { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)"))?.hasPrefix(path)
                == true
        }
        dup2(descriptor, CInt(try #require(own)))
        let failed = error { try draft.append([1]) }
        #expect(failed?.code == .file)
        #expect(failed?.phase == .receiving)
        #expect(failed?.message == "the file \"\(path)\" cannot be written: No space left on device")
        draft.discard()
    }
}

private struct Marks: StateFile {
    static var format: String { "marks" }
    static var contents: String { "marks of tests" }
    var format: String = "marks"
    var version = 1
    var number: Double
}

@Suite(.timeLimit(.minutes(1))) struct StateFileTests {
    @Test func stateIsSavedAndLoaded() async throws {
        let path = try folder("state") + "/marks.json"
        #expect(try await Marks.load(from: path) == nil)
        try await Marks(number: 3).save(to: path)
        #expect(try await Marks.load(from: path)?.number == 3)
        #expect(
            try String(contentsOfFile: path, encoding: .utf8)
                == "{\n  \"format\" : \"marks\",\n  \"number\" : 3,\n  \"version\" : 1\n}")
    }

    @Test func aFileOfAnotherKindIsNeitherReadNorReplaced() async throws {
        let path = try folder("other") + "/marks.json"
        for (text, reason) in [
            ("{", "it isn't JSON in the expected form"), ("{\"number\":1}", "it isn't JSON in the expected form"),
            (#"{"format":"other","version":1,"number":1}"#, "it has another format or version"),
            (#"{"format":"marks","version":2,"number":1}"#, "it has another format or version"),
        ] {
            try Data(text.utf8).write(to: URL(filePath: path))
            let loading = await #expect(throws: NetError.self) { try await Marks.load(from: path) }
            #expect(loading?.code == .decoding)
            #expect(loading?.phase == .preparing)
            #expect(loading?.message.hasPrefix("\"\(path)\": this isn't a file of marks of tests: \(reason)") == true)
            await #expect(throws: NetError.self) { try await Marks(number: 3).save(to: path) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }

    @Test func unencodableValuesAreReported() throws {
        let failed = error { _ = try Marks(number: .infinity).encoded() }
        #expect(failed?.code == .encoding)
        #expect(failed?.message == "the marks of tests cannot be written as JSON")
    }
}

@Suite(.timeLimit(.minutes(1))) struct FileThreadsWorkTests {
    @Test func noMoreThreadsThanAllowedWorkAtOnce() async throws {
        let threads = FileThreads(maximum: 2)
        let (running, most) = (Locked(0), Locked(0))
        let gate = DispatchSemaphore(value: 0)
        let tasks = (0..<5).map { number in
            Task {
                await threads.result { () -> Int in
                    running.change { $0 += 1 }
                    let now = running.value
                    most.change { $0 = max($0, now) }
                    gate.wait()
                    running.change { $0 -= 1 }
                    return number
                }
            }
        }
        #expect(await eventually { running.value == 2 })
        for _ in tasks { gate.signal() }
        var results: [Int] = []
        for task in tasks { if case .success(let number)? = await task.value { results.append(number) } }
        #expect(results == [0, 1, 2, 3, 4])
        #expect(most.value == 2)
        threads.end()
    }

    @Test func errorsAreThrownAndWorkIsDoneInOrder() async throws {
        let threads = FileThreads(maximum: 1)
        let done = Locked<[Int]>([])
        for number in 0..<20 { #expect(threads.post { done.change { $0.append(number) } }) }
        let error = await #expect(throws: NetError.self) {
            try await threads.run { () throws(NetError) -> Int in throw NetError(.file, phase: .sending, message: "m") }
        }
        #expect(error?.code == .file)
        #expect(done.value == Array(0..<20))
        #expect(try await threads.run { () throws(NetError) -> Int in 5 } == 5)
        threads.end()
    }

    @Test func nothingIsAcceptedAfterTheEnd() async {
        let threads = FileThreads(maximum: 1)
        #expect(await threads.result { 1 } != nil)
        threads.end()
        #expect(!threads.post {})
        let result: Result<Int, Never>? = await threads.result { 1 }
        #expect(result == nil)
        let error = await #expect(throws: NetError.self) { try await threads.run { () throws(NetError) -> Int in 5 } }
        #expect(error?.code == .unknown)
        #expect(error?.message.hasPrefix("cannot start a thread for file access") == true)
        let call = CallContext.test()
        let during = await #expect(throws: NetError.self) {
            try await threads.run(during: call) { () throws(NetError) -> Int in 5 }
        }
        #expect(during?.code == .unknown)
    }

    @Test func withoutThreadsNothingIsAccepted() {
        #expect(!FileThreads(maximum: 0).post {})
    }

    @Test func workThatWaitsIsDoneAlsoAfterTheEnd() async {
        let threads = FileThreads(maximum: 1)
        let gate = DispatchSemaphore(value: 0)
        let done = Locked(0)
        _ = threads.post { gate.wait() }
        _ = threads.post { done.change { $0 += 1 } }
        threads.end()
        gate.signal()
        #expect(await eventually { done.value == 1 })
    }

    @Test func aThreadRunsItsBodyAndIsJoinedOnce() throws {
        let done = Locked(0)
        let thread = try SystemThread { done.change { $0 += 1 } }
        thread.join()
        thread.join()
        #expect(done.value == 1)
    }
}
#endif
