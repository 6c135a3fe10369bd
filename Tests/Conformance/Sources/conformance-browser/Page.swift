#if Server
import Foundation
import NetCore
import NetSocket
import NetSocketCore
import Synchronization

/// A page in the browser, with everything reported by its network and its console.
final class Page: Sendable {
    struct Seen {
        /// The texts of the messages of its WebSockets.
        var sent: [String] = []
        var received: [String] = []
        /// The headers of the responses to its handshakes.
        var handshakes: [[String: String]] = []
        var requests: [String] = []
        var complaints: [String] = []
    }

    let target: String
    private let client: SocketClient
    private let record = Mutex(Seen())

    init(_ target: String, _ url: String) {
        self.target = target
        client = SocketClient(url, configuration: .init(wire: .devTools, requestTimeout: .seconds(60)))
        see(DevTools.FrameSent.self) { $0.sent.append($1.response.payloadData) }
        see(DevTools.FrameReceived.self) { $0.received.append($1.response.payloadData) }
        see(DevTools.RequestSent.self) { $0.requests.append($1.request.url) }
        see(DevTools.Thrown.self) {
            $0.complaints.append($1.exceptionDetails.exception?.description ?? $1.exceptionDetails.text)
        }
        see(DevTools.HandshakeResponse.self) { seen, event in
            let pairs = event.response.headers.map { ($0.lowercased(), $1) }
            seen.handshakes.append(Dictionary(pairs) { first, _ in first })
        }
        see(DevTools.LogEntry.self) { seen, event in
            // A server that is down is part of the checks.
            guard event.entry.level == "error", !event.entry.text.contains("WebSocket connection") else { return }
            seen.complaints.append(event.entry.text)
        }
        client.start()
    }

    private func see<Push: SocketPush>(_ type: Push.Type, _ note: @escaping @Sendable (inout Seen, Push) -> Void) {
        _ = client.on(type) { [weak self] push in self?.record.withLock { note(&$0, push) } }
    }

    var seen: Seen { record.withLock { $0 } }

    func leave() { client.close() }

    func prepare() async throws {
        for domain in ["Page", "Runtime", "Network", "Log", "Accessibility"] {
            _ = try await client.send("\(domain).enable", payload: SocketPayload(json: "{}"))
        }
    }

    func reload() async throws {
        try await evaluate("window.isStale = true")
        _ = try await client.send("Page.reload", payload: SocketPayload(json: "{}"))
        try await wait(for: "!window.isStale && document.readyState === 'complete'")
    }

    func go(to url: String) async throws {
        let address = try SocketPayload(["url": url])
        _ = try await client.send("Page.navigate", payload: address)
        try await wait(for: "document.readyState === 'complete' && location.href !== 'about:blank'")
    }

    // MARK: Scripts

    /// Returns the value of an expression; awaits it if it is a promise.
    @discardableResult
    func evaluate(_ expression: String) async throws -> JSONValue {
        let result = try await client.send(DevTools.Evaluate(expression: expression))
        if let problem = result.exceptionDetails {
            throw Failure("\(problem.exception?.description ?? problem.text) in \(expression)")
        }
        return result.result.value ?? .null
    }

    func strings(_ expression: String) async throws -> [String] {
        try await evaluate(expression).arrayValue?.compactMap(\.stringValue) ?? []
    }

    func number(_ expression: String) async throws -> Double { try await evaluate(expression).doubleValue ?? .nan }

    /// Waits until an expression is true. After the limit, throws an error with the value of `otherwise`.
    func wait(for condition: String, within limit: Duration = .seconds(20), otherwise: String = "''") async throws {
        let milliseconds = limit.components.seconds * 1000
        let script = """
            new Promise(done => {
              const end = Date.now() + \(milliseconds), look = () => {
                let isTrue = false;
                try { isTrue = Boolean(\(condition)); } catch {}
                if (isTrue || Date.now() > end) done(isTrue); else setTimeout(look, 15);
              };
              look();
            })
            """
        if try await evaluate(script) != .bool(true) {
            throw Failure("never: \(condition) \((try? await evaluate(otherwise)) ?? .null)")
        }
    }

    // MARK: User input

    func click(_ selector: String) async throws { try await evaluate("document.querySelector(`\(selector)`).click()") }

    func type(_ text: String) async throws { _ = try await client.send(DevTools.InsertText(text: text)) }

    func press(_ key: String, code: Int, text: String? = nil, shift: Bool = false) async throws {
        let modifiers = shift ? 8 : 0
        let down = DevTools.KeyEvent(
            type: "keyDown", key: key, code: key, windowsVirtualKeyCode: code, text: text, modifiers: modifiers)
        _ = try await client.send(down)
        let up = DevTools.KeyEvent(
            type: "keyUp", key: key, code: key, windowsVirtualKeyCode: code, modifiers: modifiers)
        _ = try await client.send(up)
    }

    func pressEnter(shift: Bool = false) async throws { try await press("Enter", code: 13, text: "\r", shift: shift) }

    // MARK: Appearance

    func resize(_ width: Int, _ height: Int, isDark: Bool = false, scale: Double = 1) async throws {
        let metrics = DevTools.SetMetrics(width: width, height: height, deviceScaleFactor: scale, mobile: width < 600)
        _ = try await client.send(metrics)
        let scheme = DevTools.SetMedia.Feature(name: "prefers-color-scheme", value: isDark ? "dark" : "light")
        _ = try await client.send(DevTools.SetMedia(features: [scheme]))
        try await evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    }

    func screenshot(to file: URL) async throws {
        guard let data = Data(base64Encoded: try await client.send(DevTools.Screenshot()).data) else {
            throw Failure("the screenshot is no Base64")
        }
        try data.write(to: file)
    }

    /// Returns the buttons, links and fields without a name for screen readers.
    func nameless() async throws -> [String] {
        let roles: Set<String> = ["button", "link", "textbox", "combobox", "log", "navigation", "complementary"]
        return try await client.send(DevTools.AccessibilityTree()).nodes.compactMap { node in
            guard !node.ignored, let role = node.role?.value?.stringValue, roles.contains(role) else { return nil }
            return node.name?.value?.stringValue?.isEmpty == false ? nil : role
        }
    }
}
#endif
