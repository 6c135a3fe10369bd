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
        await reporter.end(isInterrupted: signal != nil, command: Self.command)
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
                Reporter.complain("\(TerminalText.clean(Printed.url(request.url))): \(TerminalText.clean(error.message))")
            }
        }
        let tasks = await manager.tasks
        await reporter.begin(tasks)
        return tasks.isEmpty
    }

    /// The command as it was given, for people to give again.
    private static var command: String {
        CommandLine.arguments.map { word in
            let isPlain = word.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || "-_./:=@,+%".utf8.contains($0)
            }
            return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
        }
        .joined(separator: " ")
    }
}
#endif
