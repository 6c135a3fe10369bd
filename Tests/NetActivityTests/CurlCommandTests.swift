#if Tools
import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetStore

/// The command that repeats a stored call.
struct CurlCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func curl(_ arguments: String...) throws -> Command {
        try Command.run(Command.product("net-activity"), ["curl", folder.file()] + arguments)
    }

    private static func body(_ text: String, isCut: Bool = false) -> CaptureContent.Body {
        body(Bytes(text.utf8), isCut: isCut)
    }

    private static func body(_ bytes: Bytes, isCut: Bool = false) -> CaptureContent.Body {
        CaptureContent.Body(bytes: bytes, size: Int64(bytes.count), isCut: isCut, type: "text/plain")
    }

    /// Stores one call with one attempt.
    private func store(
        _ method: HTTPRequest.Method, _ url: String, fields: String? = nil, body: CaptureContent.Body? = nil
    ) async throws {
        let store = try ActivityStore(at: folder.file())
        if fields != nil || body != nil {
            store.record(PendingCapture(Events.id(0), number: 1, status: 200, requestHeaders: fields, request: body))
        }
        try await store.write(Events.call(0, method: method, url: url))
        try await store.close()
    }

    private static let isPossible = CallRecorder.isPossible

    @Test(
        .enabled(if: isPossible, "no curl or no python3; scripts/bootstrap --tests installs them"),
        arguments: ["/bin/bash", "/usr/bin/zsh"].filter { FileManager.default.isExecutableFile(atPath: $0) })
    func theCommandSendsWhatTheCallHasSent(shell: String) async throws {
        let peer = try CallRecorder()
        let text =
            "{\"it's\":\"$HOME `id` \\\\ größe 👩‍👩‍👧\",\n\t\"password\":\"<redacted>\",\"esc\":\"\u{1b}[31m\u{202e}\u{2028}\u{9b}\"}"
        try await store(
            .put, "http://127.0.0.1:\(peer.port)/a%20b/{c}/../d?x=[1]&api_key=<redacted>&q='%27!",
            fields: """
                Authorization: Bearer <redacted>
                Content-Type: application/json
                X-Key: <redacted:1f2e3d4c>
                X-Empty: 
                X-Quoted: it's "q" $PATH `id` \\ !!
                X-Two: 1
                X-Two: 2
                """, body: Self.body(text))
        let command = try curl(Events.id(0).description)
        #expect(command.exitCode == 0, "\(command.errors)")
        #expect(command.errors.isEmpty, "\(command.errors)")
        let secrets = ["AUTHORIZATION": "t0k'en $x", "PASSWORD": "p\"w", "X_KEY": "k", "API_KEY": "a1"]
        let request = try peer.request(of: command.output, in: shell, secrets)
        #expect(request.method == "PUT")
        #expect(request.target == "/a%20b/{c}/../d?x=[1]&api_key=a1&q='%27!")
        #expect(request.values("authorization") == ["Bearer t0k'en $x"])
        #expect(request.values("x-key") == ["k"])
        #expect(request.values("content-type") == ["application/json"])
        #expect(request.values("x-empty") == [""])
        #expect(request.values("x-quoted") == ["it's \"q\" $PATH `id` \\ !!"])
        #expect(request.values("x-two") == ["1", "2"])
        // curl adds no headers that aren't needed.
        #expect(request.values("user-agent").isEmpty)
        #expect(request.values("accept").isEmpty)
        let sent = text.replacing("<redacted>", with: "p\"w")
        #expect(request.body == sent.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    @Test(.enabled(if: isPossible, "no curl or no python3; scripts/bootstrap --tests installs them"))
    func aFormHasVariablesToo() async throws {
        let peer = try CallRecorder()
        try await store(
            .post, "http://127.0.0.1:\(peer.port)/login", fields: "Content-Type: application/x-www-form-urlencoded",
            body: Self.body("user=ada&password=%3Credacted%3E&pin=%3Credacted%3A0a1b2c3d%3E&x=%3Cb%3E"))
        let command = try curl("--", Events.id(0).description)
        let request = try peer.request(of: command.output, ["PASSWORD": "pw", "PIN": "1"])
        let form = "user=ada&password=pw&pin=1&x=%3Cb%3E"
        #expect(request.method == "POST")
        #expect(request.body == form.utf8.map { String($0, radix: 16) }.joined())
    }

    @Test func anAttemptIsChosen() async throws {
        let store = try ActivityStore(at: folder.file())
        let attempt = { (number: Int, status: Int, start: Duration) in
            Events.event(
                0, number + 1,
                .attemptEnded(.init(number: number, status: status, metrics: TransferMetrics(total: .milliseconds(5)))),
                elapsed: start, url: "https://api.example.com/\(number)")
        }
        for number in 1...2 {
            store.record(
                PendingCapture(Events.id(0), number: number, status: 200, requestHeaders: "x-try: \(number)"))
        }
        let call = Events.call(0)
        try await store.write([call[0], attempt(1, 503, .milliseconds(5)), attempt(2, 200, .milliseconds(12)), call[2]])
        try await store.close()
        let last = try curl(Events.id(0).description)
        #expect(last.output.contains("x-try: 2"), "\(last.output)\(last.errors)")
        #expect(last.exitCode == 0, "\(last.output)\(last.errors)")
        let first = try curl(Events.id(0).description, "--attempt", "1")
        #expect(first.output.contains("x-try: 1"), "\(first.output)\(first.errors)")
        #expect(first.exitCode == 0, "\(first.output)\(first.errors)")
        let third = try curl(Events.id(0).description, "--attempt", "3")
        #expect(third.exitCode == 1)
        #expect(third.errors.contains("has no attempt 3"))
        #expect(third.output.isEmpty)
    }

    @Test func missingRequestPartsAreReported() async throws {
        try await store(.get, "https://api.example.com/")
        let bare = try curl(Events.id(0).description)
        #expect(bare.exitCode == 0, "\(bare.errors)")
        #expect(bare.errors == "Note: headers and body were not captured\n", "\(bare.errors)")
        // An interactive shell may treat a comment as an argument.
        #expect(!bare.output.contains("#"))
        try FileManager.default.removeItem(atPath: folder.file())
        try await store(.post, "https://api.example.com/", body: Self.body(Bytes([0, 1, 255]), isCut: true))
        let binary = try curl(Events.id(0).description)
        #expect(binary.output.contains("@body.bin"), "\(binary.output)")
        #expect(binary.errors.contains("isn't text"), "\(binary.output)")
        #expect(binary.errors.contains("only the beginning of the body"))
    }

    @Test func entriesThatCannotBeRepeatedAreRejected() async throws {
        let store = try ActivityStore(at: folder.file())
        for event in Events.socket(1) { store.record(event) }
        try await store.write(Events.call(0, url: "not a URL"))
        try await store.close()
        for number in 0...1 {
            let command = try curl(Events.id(number).description)
            #expect(command.exitCode == 1)
            #expect(command.output.isEmpty)
            #expect(command.errors.contains("isn't an HTTP request that can be repeated"), "\(command.errors)")
        }
        let unknown = try curl("ffffffff")
        #expect(unknown.exitCode == 1)
        #expect(unknown.errors.contains("no entry has the ID"))
        #expect(unknown.output.isEmpty)
        #expect(try curl("").exitCode == 2)
        #expect(try curl("a", "b").exitCode == 2)
        #expect(try curl(Events.id(0).description, "--attempt", "x").exitCode == 2)
        let missing = try Command.run(Command.product("net-activity"), ["curl", folder.file("none.sqlite"), "ab"])
        #expect(missing.exitCode == 3)
        #expect(missing.errors.contains("no such file"))
    }
}
#endif
