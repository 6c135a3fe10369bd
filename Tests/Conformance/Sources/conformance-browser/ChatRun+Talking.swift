#if Server
import NetCore

extension ChatRun {
    /// Commands and pushes, rooms and people.
    func talk() async {
        await checks.check("both see each other") {
            for chat in [ada, grace] { try await chat.waitForPeople(["Ada", "Grace"]) }
        }
        await checks.check("a message is confirmed here and shown there") {
            try await ada.write("Good morning")
            try await ada.waitFor("Good morning", also: "line.dataset.id && line.classList.contains('mine')")
            try await grace.waitFor("Good morning", also: "!line.classList.contains('mine')")
            try await grace.write("Good morning, Ada")
            try await ada.waitFor("Good morning, Ada")
            try expect(ada.page.seen.sent.contains { $0.contains("chat.send") }, is: true, "a command was sent")
            try expect(grace.page.seen.received.contains { $0.contains("chat.message") }, is: true, "a push has come")
        }
        await checks.check("text of any script, of several lines, and that looks like HTML arrives as it is") {
            try await ada.write("línea — 日本語 👩‍🚀", "<b onclick=\"x\">not bold</b>")
            try await grace.waitFor("línea — 日本語 👩‍🚀\\n<b onclick=\"x\">not bold</b>")
        }
        await checks.check("a message that the server refuses is told so") {
            try await ada.page.evaluate("current.say('x'.repeat(2001))")
            try await ada.page.wait(
                for: "document.querySelector('.message.lost .note').textContent.startsWith('Refused: ')")
            try await ada.page.evaluate("document.querySelector('.message.lost').remove()")
        }
        await checks.check("typing is shown, until the message comes") {
            try await grace.page.evaluate("document.querySelector('#text').focus()")
            try await grace.page.type("Wait")
            try await ada.page.wait(for: "document.querySelector('#typing').textContent === 'Grace is typing…'")
            try await grace.pressEnterInText()
            try await ada.waitFor("Wait")
            try await ada.page.wait(for: "document.querySelector('#typing').textContent === ''")
        }
        await checks.check("another room counts what is unread") {
            try await grace.page.click("#rooms li:nth-child(3) button")
            try await grace.write("Over here")
            try await ada.page.wait(for: "document.querySelector('#rooms li:nth-child(3) b').textContent === '1'")
            try await ada.page.wait(for: "document.title === '(1) Harbour Chat'")
            try await ada.page.click("#rooms li:nth-child(3) button")
            try await ada.waitFor("Over here")
            try await ada.page.wait(for: "document.title === 'Harbour Chat'")
            for chat in [ada, grace] { try await chat.page.click("#rooms li:nth-child(1) button") }
        }
        await checks.check("one who comes later reads the history, and one who goes is gone") {
            let texts = try await ada.texts()
            let linus = try await ChatPage.open(browser, server.url("Linus"), "Linus")
            try await linus.page.wait(
                for: "document.querySelectorAll('.log:not([hidden]) .message').length >= \(texts.count)")
            try expect(try await linus.texts(), is: texts)
            try await ada.waitForPeople(["Ada", "Grace", "Linus"])
            try await browser.close(linus.page)
            try await ada.waitForPeople(["Ada", "Grace"])
        }
        await checks.check("the same person twice is one person") {
            let second = try await ChatPage.open(browser, server.url("Grace"), "Grace")
            try await ada.page.wait(for: "document.querySelector('#people').textContent.includes('×2')")
            try await browser.close(second.page)
            try await ada.page.wait(for: "!document.querySelector('#people').textContent.includes('×2')")
            try await ada.waitForPeople(["Ada", "Grace"])
        }
        await checks.check("the typed client in a terminal takes part") {
            let terminal = try server.terminal("Edsger")
            _ = try await terminal.line(with: "Good morning")
            try terminal.write("From a terminal")
            try await ada.waitFor("From a terminal", also: "line.dataset.id")
            try await ada.write("From a page")
            _ = try await terminal.line(with: "From a page")
            try await ada.waitForPeople(["Ada", "Edsger", "Grace"])
            terminal.endInput()
            try await ada.waitForPeople(["Ada", "Grace"])
        }
    }
}

extension ChatPage {
    func pressEnterInText() async throws { try await page.pressEnter() }
}
#endif
