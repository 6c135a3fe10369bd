#if Server
import Foundation
import NetCore
import NetTestServer

/// The checks of the chat with one server: with compression, or without.
struct ChatRun: Sendable {
    let checks: Checks
    let browser: Browser
    let server: ChatServer
    let isCompressing: Bool
    /// The proxy between Ada and the server, which can be cut.
    let proxy: TCPProxy
    let ada, grace: ChatPage
    /// The folder for screenshots; nil for none.
    let pictures: URL?

    static func run(_ browser: Browser, program: String, isCompressing: Bool, pictures: URL?) async -> Checks {
        let checks = Checks(isCompressing ? "compressed" : "plain")
        do {
            let server = try await ChatServer.start(program, isCompressing: isCompressing)
            let proxy = try await TCPProxy.start(to: server.port)
            let ada = try await ChatPage.open(browser, server.url("Ada", port: proxy.port), "Ada")
            let grace = try await ChatPage.open(browser, server.url("Grace"), "Grace")
            let run = ChatRun(
                checks: checks, browser: browser, server: server, isCompressing: isCompressing, proxy: proxy, ada: ada,
                grace: grace, pictures: pictures)
            await run.agree()
            await run.talk()
            if let pictures { await run.look(pictures) }
            await run.cut()
            await run.restart()
            await run.complain()
            try await browser.close(ada.page)
            try await browser.close(grace.page)
            await proxy.stop()
            await server.kill()
        } catch {
            await checks.check("the pages open") { throw error }
        }
        return checks
    }

    /// Saves a screenshot of Ada's page.
    func picture(_ name: String, _ width: Int, _ height: Int, isDark: Bool = false) async throws {
        guard let pictures else { return }
        try await ada.page.resize(width, height, isDark: isDark)
        try await ada.page.evaluate("current.log.scrollTop = current.log.scrollHeight")
        try await ada.page.screenshot(to: pictures.appending(path: "\(name).png"))
    }

    /// Checks the result of the handshakes.
    private func agree() async {
        await checks.check("the subprotocol is selected, and compression as the server is set") {
            guard let headers = ada.page.seen.handshakes.first else { throw Failure("there was no handshake") }
            try expect(headers["sec-websocket-protocol"], is: "swift-net.json.v1")
            let extensions = headers["sec-websocket-extensions"] ?? ""
            try expect(extensions.hasPrefix("permessage-deflate"), is: isCompressing, extensions)
        }
        await checks.check("a session is resumed, and its acknowledgments are sent") {
            let first = try JSONCoding.standard.decode(
                JSONValue.self, from: Bytes((ada.page.seen.sent.first ?? "").utf8))
            try expect(first["event"]?.stringValue, is: "session.resume")
            try expect(first["sessionId"]?.stringValue?.count, is: 32)
            try await ada.page.wait(for: "session.acked === session.received && session.received > 0")
        }
    }

    private func complain() async {
        await checks.check("the console has no error, and nothing is loaded from elsewhere") {
            for chat in [ada, grace] {
                try expect(chat.page.seen.complaints, is: [], chat.name)
                let foreign = chat.page.seen.requests.filter { request in
                    !["http://127.0.0.1:", "data:"].contains { request.hasPrefix($0) }
                }
                try expect(foreign, is: [], chat.name)
            }
        }
    }
}
#endif
