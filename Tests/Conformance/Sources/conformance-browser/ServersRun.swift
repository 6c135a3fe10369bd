#if Server
import Foundation
import NetCore

/// The checks of two servers that share a Redis, behind one address.
struct ServersRun: Sendable {
    let checks: Checks
    let broker: Broker
    let first, second: ChatServer
    let front: Front
    /// Ada is connected to the first server, and Grace to the second.
    let ada, grace: ChatPage
    let pictures: URL?

    static func run(_ browser: Browser, program: String, pictures: URL?) async -> Checks {
        let checks = Checks("shared")
        guard let path = Broker.path else {
            print("skip two servers: there is no redis-server")
            return checks
        }
        do {
            let broker = try await Broker.start(path)
            let first = try await ChatServer.start(program, isCompressing: true, redis: broker.url)
            let second = try await ChatServer.start(program, isCompressing: true, redis: broker.url)
            let front = try Front(to: [first.port, second.port])
            let ada = try await ChatPage.open(browser, first.url("Ada", port: front.port), "Ada")
            front.prefer(second.port)
            let grace = try await ChatPage.open(browser, first.url("Grace", port: front.port), "Grace")
            let run = ServersRun(
                checks: checks, broker: broker, first: first, second: second, front: front, ada: ada, grace: grace,
                pictures: pictures)
            await run.talk()
            await run.crash()
            await run.comeBack()
            await run.loseBroker()
            await run.loseData()
            await run.complain()
            for chat in [ada, grace] { try await browser.close(chat.page) }
            front.stop()
            for server in [first, second] { await server.kill() }
            await broker.kill()
        } catch {
            await checks.check("the pages of two servers open") { throw error }
        }
        return checks
    }

    private func talk() async {
        await checks.check("two servers are one chat: messages, people and typing") {
            let isAtBoth = front.openConnections(to: first.port) > 0 && front.openConnections(to: second.port) > 0
            try expect(isAtBoth, is: true, "each server has a page")
            for chat in [ada, grace] { try await chat.waitForPeople(["Ada", "Grace"]) }
            try await ada.write("From the first")
            try await grace.waitFor("From the first", also: "line.dataset.id === '1'")
            try await grace.page.evaluate("document.querySelector('#text').focus()")
            try await grace.page.type("From")
            try await ada.page.wait(for: "document.querySelector('#typing').textContent === 'Grace is typing…'")
            try await grace.page.type(" the second")
            try await grace.page.pressEnter()
            try await ada.waitFor("From the second", also: "line.dataset.id === '2'")
        }
        await checks.check("two servers have one history") {
            try await grace.page.reload()
            try await grace.waitUntilOpen()
            try await grace.waitFor("From the second", also: "line.dataset.id === '2'")
            try await expectOneLog()
        }
    }

    /// The first server ends while both send messages.
    private func crash() async {
        await checks.check("one of two servers is killed while messages are sent: none is lost, none is there twice") {
            async let adas: Void = ada.say(80, "ada")
            async let graces: Void = grace.say(80, "grace")
            try await grace.waitFor("ada 15")
            try await first.freeze()
            // Some messages are in transit, so that they have to be sent again.
            try await ada.page.wait(for: "session.kept.length")
            await first.kill()
            _ = try await (adas, graces)
            for chat in [ada, grace] {
                for name in ["ada", "grace"] { try await chat.waitForAll(80, name) }
            }
            try await expectOneLog()
            try expect(front.openConnections(to: first.port), is: 0, "connections to the server that was killed")
            for chat in [ada, grace] {
                let dividers = "[...document.querySelectorAll('.divider')].map(divider => divider.textContent)"
                try expect(try await chat.page.strings(dividers), is: [], "what is said to be missing")
                try expect(try await chat.page.number("document.querySelectorAll('.lost, .pending').length"), is: 0)
                try await chat.waitForPeople(["Ada", "Grace"])
            }
        }
    }

    private func comeBack() async {
        await checks.check("the killed one of two servers comes back, and takes part") {
            try await first.startAgain()
            front.prefer(first.port)
            try await ada.page.click("#cut")
            try await ada.page.wait(for: "document.documentElement.dataset.state === 'waiting'")
            try await ada.page.click("#again")
            try await ada.waitUntilOpen()
            try expect(front.openConnections(to: first.port) > 0, is: true, "the first server has a page")
            try await ada.write("Back at the first")
            try await grace.waitFor("Back at the first", also: "line.dataset.id")
            try await grace.write("Welcome back")
            try await ada.waitFor("Welcome back", also: "line.dataset.id")
            try await expectOneLog()
            for chat in [ada, grace] { try await chat.waitForPeople(["Ada", "Grace"]) }
        }
        await checks.check("two servers forget connections that are gone") {
            for chat in [ada, grace] {
                try await chat.page.wait(
                    for: "!document.querySelector('#people').textContent.includes('×')", within: .seconds(40))
                try await chat.waitForPeople(["Ada", "Grace"])
            }
        }
    }

    private func loseBroker() async {
        await checks.check("two servers that are cut off say so, and what is written meanwhile arrives later") {
            await broker.kill()
            for chat in [ada, grace] { try await chat.page.wait(for: "!document.querySelector('#outage').hidden") }
            try await look()
            try await ada.write("Meanwhile")
            try await ada.waitFor("Meanwhile", also: "line.classList.contains('pending')")
            try await broker.startAgain()
            for chat in [ada, grace] {
                try await chat.page.wait(for: "document.querySelector('#outage').hidden")
                try await chat.waitFor("Meanwhile", also: "line.dataset.id")
            }
            try await expectOneLog()
        }
        await checks.check("two servers whose broker is gone for long send what was written then once") {
            await broker.kill()
            try await ada.page.click("#cut")
            try await grace.write("Much later")
            try await grace.page.wait(
                for: "document.querySelector('.message.pending .note').textContent === 'Waiting for the servers'")
            try await broker.startAgain()
            for chat in [ada, grace] {
                try await chat.waitUntilOpen()
                try await chat.waitFor("Much later", also: "line.dataset.id")
                try await chat.page.wait(for: "document.querySelector('#outage').hidden")
            }
            try await expectOneLog()
        }
    }

    private func loseData() async {
        await checks.check("two servers whose broker has lost its data say that history began anew") {
            await broker.kill()
            try broker.forget()
            try await broker.startAgain()
            for chat in [ada, grace] {
                try await chat.page.wait(
                    for: "[...document.querySelectorAll('.log:not([hidden]) .divider')]"
                        + ".some(divider => divider.textContent.includes('history began anew'))")
            }
            try await ada.write("A new life")
            for chat in [ada, grace] { try await chat.waitFor("A new life", also: "line.dataset.id === '1'") }
            try await grace.write("Indeed")
            for chat in [ada, grace] { try await chat.waitFor("Indeed", also: "line.dataset.id === '2'") }
            try expect(try await ada.texts(), is: try await grace.texts(), "both logs")
        }
    }

    /// The line that reports an outage of the servers is displayed like all others.
    private func look() async throws {
        for (width, isDark) in [(1280, false), (390, true)] {
            try await ada.page.resize(width, 800, isDark: isDark)
            try expect(try await ada.page.number("document.documentElement.scrollWidth"), is: Double(width))
            try expect(try await ada.page.strings(ChatRun.contrast), is: [])
            if let pictures {
                try await ada.page.screenshot(to: pictures.appending(path: "outage-\(width).png"))
            }
        }
        try await ada.page.resize(1280, 800)
    }

    private func complain() async {
        await checks.check("the console has no error with two servers") {
            for chat in [ada, grace] { try expect(chat.page.seen.complaints, is: [], chat.name) }
        }
    }

    /// Expects that both pages show the same messages in the same order, with the numbers 1, 2, 3 and so on.
    private func expectOneLog() async throws {
        let (here, there) = (try await ada.texts(), try await grace.texts())
        try expect(here, is: there, "both logs")
        for chat in [ada, grace] {
            let numbers = try await chat.page.strings(
                "[...document.querySelectorAll('.log:not([hidden]) .message')].map(line => line.dataset.id)")
            try expect(numbers, is: (1...here.count).map(String.init), chat.name)
        }
    }
}
#endif
