#if Server
import Foundation
import NetCore
import NetSocket
import NetSocketCore

/// A headless browser, controlled through its DevTools.
final class Browser: Sendable {
    private let program: Program
    private let profile: URL
    private let client: SocketClient
    private let endpoint: String

    /// Starts a browser with an empty profile.
    static func start(_ path: String) async throws -> Browser {
        let profile = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID().uuidString)")
        let arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--hide-scrollbars",
            "--user-data-dir=\(profile.path)", "--no-first-run", "--disable-background-networking",
            "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows", "about:blank",
        ]
        let program = try Program(path, arguments, readsErrors: true)
        let url = try await Checks.within(.seconds(60)) { try await program.line(with: "DevTools listening on ") }
        return Browser(program, profile, url)
    }

    private init(_ program: Program, _ profile: URL, _ url: String) {
        self.program = program
        self.profile = profile
        endpoint = url.components(separatedBy: "/devtools/")[0]
        client = SocketClient(url, configuration: .init(wire: .devTools))
        client.start()
    }

    /// Opens a page in a new tab.
    func open(_ url: String) async throws -> Page {
        let target = try await client.send(DevTools.CreateTarget(url: "about:blank")).targetId
        let page = Page(target, "\(endpoint)/devtools/page/\(target)")
        try await page.prepare()
        try await page.go(to: url)
        return page
    }

    func close(_ page: Page) async throws {
        _ = try await client.send(DevTools.CloseTarget(targetId: page.target))
        page.leave()
    }

    func stop() async {
        // Killing it would leave its child processes running.
        _ = try? await client.send("Browser.close", payload: SocketPayload(json: "{}"), timeout: .seconds(5))
        client.close()
        program.end()
        try? FileManager.default.removeItem(at: profile)
    }
}

extension SocketWire {
    static let devTools = SocketWire("devtools", features: [.requests, .pushes]) { _ in DevToolsWire() }
}
#endif
