#if Server
import NetCore

/// A page of the chat: a user's view of it and actions on it.
struct ChatPage: Sendable {
    let page: Page
    let name: String

    private static let lines = "[...document.querySelectorAll('.log:not([hidden]) .message')]"

    /// Opens the chat, and waits until it is connected and shows a room.
    static func open(_ browser: Browser, _ url: String, _ name: String) async throws -> ChatPage {
        let chat = ChatPage(page: try await browser.open(url), name: name)
        try await chat.waitUntilOpen()
        try await chat.page.wait(for: "current && document.querySelector('.room')")
        return chat
    }

    func waitUntilOpen() async throws {
        try await page.wait(
            for: "document.documentElement.dataset.state === 'open'", within: .seconds(40),
            otherwise: "document.querySelector('#status').textContent")
    }

    func waitUntilLost() async throws {
        try await page.wait(for: "['waiting', 'connecting'].includes(document.documentElement.dataset.state)")
    }

    /// Types lines with the keyboard, like a user.
    func write(_ lines: String...) async throws {
        try await page.evaluate("document.querySelector('#text').focus()")
        for (index, line) in lines.enumerated() {
            if index > 0 { try await page.pressEnter(shift: true) }
            try await page.type(line)
        }
        try await page.pressEnter()
    }

    /// Sends many messages, a few per millisecond.
    func say(_ count: Int, _ prefix: String) async throws {
        try await page.evaluate(
            """
            (async () => {
              for (let i = 1; i <= \(count); i++) {
                current.say(`\(prefix) ${i}`);
                await new Promise(done => setTimeout(done, 5));
              }
            })()
            """)
    }

    /// Returns the texts that begin with a prefix, in the order of the page.
    func texts(_ prefix: String = "") async throws -> [String] {
        try await page.strings("\(Self.lines).map(line => line.querySelector('.text').textContent)")
            .filter { $0.hasPrefix(prefix) }
    }

    /// Waits until `count` texts with a prefix are confirmed; each must be there exactly once and in order.
    func waitForAll(_ count: Int, _ prefix: String) async throws {
        let confirmed = "\(Self.lines).filter(line => line.dataset.id && line.textContent.includes('\(prefix) '))"
        try await page.wait(
            for: "\(confirmed).length >= \(count)", within: .seconds(40),
            otherwise:
                "[\(confirmed).length, session.state, session.resumed, document.querySelectorAll('.lost').length]")
        try expect(try await texts("\(prefix) "), is: (1...count).map { "\(prefix) \($0)" }, name)
    }

    func waitFor(_ text: String, also condition: String = "true") async throws {
        try await page.wait(
            for: "\(Self.lines).some(line => line.querySelector('.text').textContent === `\(text)` && \(condition))",
            otherwise: "\(Self.lines).slice(-4).map(line => line.outerHTML)")
    }

    func waitForPeople(_ names: [String]) async throws {
        let people = "[...document.querySelectorAll('#people .person > span:last-child')].map(p => p.firstChild.data)"
        try await page.wait(for: "\(people).join() === '\(names.joined(separator: ","))'", otherwise: people)
    }

    var resumed: Double { get async throws { try await page.number("session.resumed") } }
}
#endif
