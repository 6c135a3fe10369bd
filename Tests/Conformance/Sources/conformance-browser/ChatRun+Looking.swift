#if Server
import Foundation
import NetCore

extension ChatRun {
    /// The appearance of the page, on wide and narrow screens, light and dark.
    func look(_ folder: URL) async {
        guard let linus = try? await ChatPage.open(browser, server.url("Linus"), "Linus") else { return }
        await checks.check("a conversation for the pictures") { try await pose(with: linus) }
        for (width, height) in [(1280, 800), (390, 844)] {
            for isDark in [false, true] {
                let name = "chat-\(width)\(isDark ? "-dark" : "")"
                await checks.check("\(name): nothing overflows, and everything has a name") {
                    try await ada.page.resize(width, height, isDark: isDark)
                    try await ada.page.evaluate("current.log.scrollTop = current.log.scrollHeight")
                    try expect(try await ada.page.number("document.documentElement.scrollWidth"), is: Double(width))
                    try expect(try await ada.page.number("document.documentElement.scrollHeight"), is: Double(height))
                    try expect(try await ada.page.nameless(), is: [])
                    try await ada.page.screenshot(to: folder.appending(path: "\(name).png"))
                }
                await checks.check("\(name): every text has enough contrast (WCAG AA)") {
                    try expect(try await ada.page.strings(Self.contrast), is: [])
                }
            }
        }
        await checks.check("who has left is gone again") {
            try await browser.close(linus.page)
            try await ada.waitForPeople(["Ada", "Grace"])
        }
        await checks.check("the rooms are shown again") {
            for chat in [ada, grace] {
                for room in [3, 1] { try await chat.page.click("#rooms li:nth-child(\(room)) button") }
            }
            try await ada.page.wait(for: "document.title === 'Harbour Chat'")
        }
        await checks.check("without a name, the page asks for one, and the keyboard is enough") {
            let page = try await browser.open("http://127.0.0.1:\(server.port)/")
            try await page.wait(for: "document.activeElement.id === 'name'")
            try await page.resize(390, 844)
            try await page.screenshot(to: folder.appending(path: "welcome-390.png"))
            try await page.type("Barbara")
            try await page.pressEnter()
            let chat = ChatPage(page: page, name: "Barbara")
            try await chat.waitUntilOpen()
            try await page.wait(for: "document.activeElement.id === 'text'")
            try await browser.close(page)
        }
        await checks.check("the panel shows the session's figures, and Escape closes it") {
            try await ada.page.resize(1280, 800)
            try await ada.page.click("#status")
            try await ada.page.wait(for: "document.querySelectorAll('#panel dd').length >= 5")
            try await ada.page.screenshot(to: folder.appending(path: "panel-1280.png"))
            try await ada.page.press("Escape", code: 27)
            try await ada.page.wait(for: "document.querySelector('#panel').hidden")
        }
    }

    private func pose(with linus: ChatPage) async throws {
        for chat in [ada, grace, linus] { try await chat.page.click("#rooms li:nth-child(2) button") }
        let lines: [(ChatPage, String)] = [
            (grace, "The 14:10 ferry is full, so the books for Tiree go on the evening one."),
            (linus, "Then I can still add the reprints 📚"),
            (linus, "Two boxes. They are by the door."),
            (ada, "I have the list here. Send me the numbers when you have them, and I close it at five."),
            (grace, "4471 and 4472"),
            (ada, "Both are on it. Thank you!"),
        ]
        for (chat, line) in lines {
            try await chat.write(line)
            try await ada.waitFor(line, also: "line.dataset.id")
        }
        try await linus.page.click("#rooms li:nth-child(3) button")
        try await linus.write("The kettle is on")
        try await linus.page.click("#rooms li:nth-child(2) button")
        try await linus.page.evaluate("document.querySelector('#text').focus()")
        try await linus.page.type("Well")
        try await ada.page.wait(for: "document.querySelector('#typing').textContent !== ''")
    }

    /// Returns the texts whose contrast with their background is less than 4.5 to 1.
    static let contrast = """
        (() => {
          const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
          const rgb = (color, under = [255, 255, 255]) => {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = color;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
            return [r, g, b].map((value, i) => value * a / 255 + under[i] * (1 - a / 255));
          };
          const behind = element => {
            for (let up = element; up; up = up.parentElement) {
              const color = getComputedStyle(up).backgroundColor;
              if (!/, 0\\)|transparent/.test(color)) return rgb(color);
            }
            return [255, 255, 255];
          };
          const light = color => color.map(value => value / 255)
            .map(value => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4)
            .reduce((sum, value, i) => sum + value * [.2126, .7152, .0722][i], 0);
          const weak = new Set();
          const walker = document.createTreeWalker(document.querySelector('#app'), NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const element = walker.currentNode.parentElement;
            if (!walker.currentNode.data.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
            const back = behind(element), [a, b] = [light(rgb(getComputedStyle(element).color, back)), light(back)];
            const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
            if (ratio < 4.5) weak.add(`${walker.currentNode.data.trim().slice(0, 20)} ${ratio.toFixed(1)}`);
          }
          return [...weak];
        })()
        """
}
#endif
