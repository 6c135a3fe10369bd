#if Tools
import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetStore

/// The command of a call whose body isn't known completely.
struct CurlBodyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func curl(_ arguments: String...) throws -> Command {
        try Command.run(
            Command.product("net-activity"), ["curl", folder.file(), Events.id(0).description] + arguments)
    }

    private enum Captured: String, CaseIterable, CustomTestStringConvertible {
        case nothing, headers, length, noBytes, beginning, binary
        var testDescription: String { rawValue }

        var fields: String? {
            switch self {
            case .nothing: nil
            case .length: "Content-Type: text/plain\nContent-Length: 24"
            default: "Content-Type: text/plain"
            }
        }

        var body: CaptureContent.Body? {
            switch self {
            case .nothing, .headers, .length: nil
            case .noBytes: .init(bytes: Bytes(), size: 24_000_000, isCut: true, type: nil)
            case .beginning: .init(bytes: Bytes("the begin".utf8), size: 24_000_000, isCut: true, type: nil)
            case .binary: .init(bytes: Bytes([0, 1, 255]), size: 3, isCut: false, type: nil)
            }
        }
    }

    private func store(
        _ method: HTTPRequest.Method, _ captured: Captured, url: String, file: String? = nil
    ) async throws {
        let store = try ActivityStore(at: folder.file())
        if captured != .nothing {
            var body = captured.body
            body?.file = file
            store.record(
                PendingCapture(
                    Events.id(0), number: 1, status: 200, requestHeaders: captured.fields, request: body))
        }
        try await store.write(Events.call(0, method: method, url: url))
        try await store.close()
    }

    @Test(
        .enabled(if: CallRecorder.isPossible, "no curl or no python3; scripts/bootstrap --tests installs them"),
        arguments: [HTTPRequest.Method.put, .post, .patch], Captured.allCases)
    private func theCommandFailsBeforeItSendsAnything(method: HTTPRequest.Method, captured: Captured) async throws {
        let peer = try CallRecorder()
        try await store(method, captured, url: "http://127.0.0.1:\(peer.port)/file")
        let command = try curl()
        #expect(command.exitCode == 0, "\(command.errors)")
        #expect(command.output.contains(#"--data-binary @"${BODY:?"#), "\(command.output)")
        #expect(!command.output.contains("--data-raw"))
        #expect(command.errors.hasPrefix("Note: "))
        let shells = ["/bin/bash", "/usr/bin/zsh"].filter { FileManager.default.isExecutableFile(atPath: $0) }
        for shell in shells {
            let alone = try Command.run(
                shell, ["-c", command.output], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
            #expect(alone.exitCode != 0)
            #expect(alone.errors.contains("BODY"), "\(alone.errors)")
            #expect(alone.output.isEmpty, "something was sent: \(alone.output)")
        }
        let body = folder.file("the body's file")
        try Data("whole".utf8).write(to: URL(fileURLWithPath: body))
        #expect(try peer.request(of: command.output, ["BODY": body]).body == "77686f6c65")
        let filled = try curl("--body", body)
        #expect(!filled.output.contains("BODY"))
        let request = try peer.request(of: filled.output, [:])
        #expect(request.method == method.rawValue)
        #expect(request.body == "77686f6c65")
    }

    @Test(
        .enabled(if: CallRecorder.isPossible, "no curl or no python3; scripts/bootstrap --tests installs them"))
    func aFileWhosePathIsRecordedIsSent() async throws {
        let peer = try CallRecorder()
        let body = folder.file("film one.mp4")
        try Data(repeating: 65, count: 3000).write(to: URL(fileURLWithPath: body))
        let store = try ActivityStore(at: folder.file())
        store.record(
            PendingCapture(
                Events.id(0), number: 1, status: 200, requestHeaders: "Content-Type: video/mp4",
                request: .init(bytes: Bytes(), size: 3000, isCut: true, type: "video/mp4", file: body)))
        try await store.write(Events.call(0, method: .put, url: "http://127.0.0.1:\(peer.port)/file"))
        try await store.close()
        let command = try curl()
        #expect(command.output.contains("--data-binary @'\(body)'"), "\(command.output)")
        #expect(command.errors.isEmpty, "\(command.errors)")
        #expect(try peer.request(of: command.output, [:]).body.count == 6000)
        // The file has changed since.
        try Data("other".utf8).write(to: URL(fileURLWithPath: body))
        let changed = try curl()
        #expect(changed.output.contains("${BODY:?"))
        #expect(changed.errors.contains("film one.mp4"))
    }

    @Test func anEmptyBodyIsSentAsOne() async throws {
        let store = try ActivityStore(at: folder.file())
        let events: [ActivityEvent.Kind] = [
            .started(requestBytes: 0), .attemptEnded(.init(number: 1, status: 204)),
            .ended(.completed(status: 204, responseBytes: 0)),
        ]
        try await store.write(
            events.enumerated().map { Events.event(0, $0 + 1, $1, method: .post, url: "https://api.example.com/a") })
        try await store.close()
        let command = try curl()
        #expect(command.output.contains("--data-raw ''"), "\(command.output)")
    }

    @Test func aMissingFileIsReported() async throws {
        try await store(.put, .nothing, url: "https://api.example.com/a")
        let command = try curl("--body", folder.file("none"))
        #expect(command.exitCode == 2)
        #expect(command.errors.contains("--body"))
        #expect(command.output.isEmpty)
    }

    @Test(arguments: [HTTPRequest.Method.get, .delete, .head]) func aRequestWithoutABodyNeedsNone(
        method: HTTPRequest.Method
    ) async throws {
        let store = try ActivityStore(at: folder.file())
        let events: [ActivityEvent.Kind] = [
            .started(requestBytes: nil), .attemptEnded(.init(number: 1, status: 200)),
            .ended(.completed(status: 200, responseBytes: 0)),
        ]
        try await store.write(
            events.enumerated().map { Events.event(0, $0 + 1, $1, method: method, url: "https://api.example.com/a") })
        try await store.close()
        let command = try curl()
        #expect(!command.output.contains("--data"), "\(command.output)")
    }

    @Test(arguments: ["cassette", "contract", "test"]) func itIsNotExported(kind: String) async throws {
        for captured in [Captured.headers, .noBytes, .beginning] {
            try? FileManager.default.removeItem(atPath: folder.file())
            try await store(.post, captured, url: "https://api.example.com/a")
            let output = folder.file("out")
            let command = try Command.run(
                Command.product("net-activity"),
                ["export", kind, folder.file(), Events.id(0).description, "-o", output])
            #expect(command.exitCode == 1, "\(captured): \(command.output)")
            #expect(command.errors.contains("wasn't captured"), "\(command.errors)")
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    @Test func filesAndPagesSaySo() async throws {
        try await store(.post, .headers, url: "https://api.example.com/a")
        let har = folder.file("a.har")
        let export = try Command.run(Command.product("net-activity"), ["export", "har", folder.file(), "-o", har])
        #expect(export.exitCode == 0, "\(export.errors)")
        let text = try String(contentsOfFile: har, encoding: .utf8)
        #expect(!text.contains("\"postData\""))
        #expect(text.contains("The body of 10 bytes wasn't captured, so there is no postData."))
        let bundle = try Command.run(
            Command.product("net-activity"), ["export", "bundle", folder.file(), Events.id(0).description])
        #expect(bundle.output.contains("was not captured."), "\(bundle.output)")
        #expect(!bundle.output.contains("\"postData\""))
        let replay = try Command.run(
            Command.product("net-activity"), ["replay", folder.file(), Events.id(0).description])
        #expect(replay.exitCode == 2)
        #expect(replay.errors.contains("body: it wasn't captured (--body FILE)"), "\(replay.errors)")
    }
}
#endif
