#if Server
import NetCore
import NetTestServer

extension ChatRun {
    /// Connections that end while messages are in transit.
    func cut() async {
        await checks.check("a connection that ends again and again while a page sends loses nothing") {
            let (cuts, resumed) = (proxy.statistics.cuts, try await ada.resumed)
            proxy.configuration.toServer.cut = .init(afterBytes: isCompressing ? 2500 : 5000, form: .reset)
            try await ada.page.click("#cut")
            try await ada.say(60, "out")
            try await ada.waitForAll(60, "out")
            try await grace.waitForAll(60, "out")
            let hasCut = proxy.statistics.cuts > cuts
            try expect(hasCut, is: true, "the proxy has cut")
            let hasResumed = try await ada.resumed > resumed
            try expect(hasResumed, is: true, "the session was resumed")
            proxy.configuration = .init()
        }
        await checks.check("a connection that ends again and again while a page receives loses nothing") {
            try await ada.page.click("#cut")
            proxy.configuration.toClient.cut = .init(afterBytes: isCompressing ? 2500 : 6000, form: .reset)
            try await ada.waitUntilOpen()
            let cuts = proxy.statistics.cuts
            try await grace.say(60, "in")
            try await grace.waitForAll(60, "in")
            try await ada.waitForAll(60, "in")
            let hasCut = proxy.statistics.cuts > cuts
            try expect(hasCut, is: true, "the proxy has cut")
            proxy.configuration = .init()
        }
        await checks.check("a message without a connection is shown as waiting, and sent later") {
            proxy.configuration.toServer.cut = .init(afterBytes: 0, form: .reset)
            try await ada.page.click("#cut")
            try await ada.waitUntilLost()
            try await ada.write("later")
            try await ada.waitFor(
                "later", also: "line.querySelector('.note').textContent === 'Waiting for a connection'")
            try await picture("waiting-390", 390, 844)
            try await grace.write("meanwhile")
            proxy.configuration = .init()
            try await ada.page.wait(for: "document.documentElement.dataset.state === 'waiting'")
            try await ada.page.click("#again")
            try await ada.waitFor("later", also: "line.dataset.id")
            try await ada.waitFor("meanwhile")
            try await grace.waitFor("later")
            try expect(try await ada.texts(), is: try await grace.texts(), "both logs")
        }
    }

    /// A server that ends, and restarts without data.
    func restart() async {
        await checks.check("the page says that history began anew, and what may not have arrived") {
            try await grace.write("before")
            try await ada.waitFor("before")
            try await ada.page.wait(for: "!session.kept.length")
            try await server.freeze()
            try await ada.write("on its way")
            try await ada.waitFor("on its way", also: "line.querySelector('.note').textContent === 'Sending…'")
            await server.kill()
            for chat in [ada, grace] { try await chat.waitUntilLost() }
            try await grace.write("queued")
            try await server.startAgain()
            for chat in [ada, grace] {
                try await chat.waitUntilOpen()
                try await chat.page.wait(
                    for:
                        "document.querySelector('.log:not([hidden]) .divider').textContent.includes('history began anew')"
                )
            }
            try await grace.waitFor("queued", also: "line.dataset.id")
            try await ada.waitFor("queued")
            try await ada.waitFor("before", also: "line.classList.contains('former')")
            try await ada.waitFor("on its way", also: "line.classList.contains('lost')")
            try await picture("anew-1280", 1280, 800)
            try await picture("anew-390-dark", 390, 844, isDark: true)
            try await ada.page.resize(1280, 800)
        }
        await checks.check("what may not have arrived can be sent again") {
            try await ada.page.click(".message.lost .link")
            try await ada.waitFor("on its way", also: "line.dataset.id && !line.classList.contains('lost')")
            try await grace.waitFor("on its way")
        }
        await checks.check("the chat goes on after that") {
            try await ada.write("still here")
            try await grace.waitFor("still here")
            try await grace.write("so am I")
            try await ada.waitFor("so am I")
            for chat in [ada, grace] { try await chat.waitForPeople(["Ada", "Grace"]) }
        }
        await checks.check("a page that is loaded again reads the history of the new life") {
            try await grace.page.reload()
            try await grace.waitUntilOpen()
            try await grace.waitFor("so am I", also: "line.classList.contains('mine')")
            try expect(try await grace.texts(), is: ["queued", "on its way", "still here", "so am I"])
        }
    }
}
#endif
