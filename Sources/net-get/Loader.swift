#if Tools
internal import Foundation
internal import NetCore
internal import NetHTTP

/// Loads files to their end, or until a signal comes.
struct Loader {
    let client: HTTPClient
    let configuration: DownloadManager.Configuration
    let reporter: Reporter

    /// Returns the exit code.
    func run(_ requests: [DownloadRequest]) async -> Int32 {
        let interrupts = Interrupts()
        let manager: DownloadManager
        do throws(DownloadError) {
            manager = try await DownloadManager(client: client, configuration: configuration)
        } catch {
            Reporter.complain(TerminalText.clean(error.message))
            return 2
        }
        let events = await manager.events
        let isEmpty = await enqueue(requests, manager)
        guard !isEmpty else {
            await manager.shutdown()
            Reporter.complain("nothing to load: name a URL; --help tells more")
            return 2
        }
        let signal = await withTaskGroup(of: Int32?.self) { group in
            group.addTask {
                for await event in events {
                    await reporter.take(event)
                    if await reporter.isDone { break }
                }
                return nil
            }
            group.addTask {
                for await code in interrupts.codes { return code }
                return nil
            }
            group.addTask {
                while await reporter.isAnimated, !Task.isCancelled {
                    await reporter.draw()
                    try? await Task.sleep(for: .milliseconds(100))
                }
                // Only one of the others ends it.
                try? await Task.sleep(for: .seconds(1_000_000_000))
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        await manager.shutdown()
        await reporter.end(isInterrupted: signal != nil, command: command)
        let hasFailed = await reporter.failed > 0
        return signal ?? (hasFailed ? 1 : 0)
    }

    /// Finds what is unfinished, and adds what is new. Returns whether there is nothing at all.
    private func enqueue(_ requests: [DownloadRequest], _ manager: DownloadManager) async -> Bool {
        do throws(DownloadError) {
            for task in try await manager.restore() where task.state == .paused { try await manager.resume(task.id) }
        } catch {
            Reporter.complain(TerminalText.clean(error.message))
        }
        for request in requests {
            do throws(DownloadError) {
                _ = try await manager.enqueue(request)
            } catch {
                // It goes on already.
                if error.code == .alreadyQueued { continue }
                Reporter.complain(
                    "\(TerminalText.clean(Printed.url(request.url))): \(TerminalText.clean(error.message))")
            }
        }
        let tasks = await manager.tasks
        await reporter.begin(tasks)
        return tasks.isEmpty
    }

    /// A command that goes on. It names no URL, which may be a secret: the folder knows what is unfinished.
    private var command: String {
        guard let folder = configuration.folder, folder != "." else { return "net-get" }
        return "net-get --output '\(folder.replacing("'", with: "'\\''"))\(folder.hasSuffix("/") ? "" : "/")'"
    }
}
#endif
