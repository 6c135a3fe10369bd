#if Tools
internal import Foundation
internal import NetCore
internal import NetHTTP

/// Loads or sends files until all have ended or a signal arrives.
struct Loader {
    let client: HTTPClient
    let configuration: DownloadManager.Configuration
    let reporter: Reporter
    /// True if the requests have headers that the next run needs too.
    let hasHeaders: Bool

    /// Runs the transfers and returns the exit code.
    func run(_ requests: [DownloadRequest], uploads: [UploadRequest] = []) async -> Int32 {
        let interrupts = Interrupts()
        defer { interrupts.cancel() }
        let codes = interrupts.codes
        let manager =
            uploads.isEmpty
            ? DownloadManager(client: client, configuration: configuration)
            : DownloadManager(
                client: client, configuration: configuration, uploads: uploads, states: configuration.folder ?? ".")
        let events = manager.events(buffering: .newest(10_000))
        guard await enqueue(requests, uploads, manager) else {
            await manager.shutdown()
            await client.shutdown()
            return 2
        }
        let signal = await withTaskGroup(of: Int32?.self) { group in
            group.addTask {
                for await event in events where await reporter.take(event) { break }
                return nil
            }
            group.addTask {
                for await code in codes { return code }
                return nil
            }
            group.addTask {
                await draw(manager)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        await forgetUseless(manager)
        await manager.shutdown()
        await client.shutdown()
        await reporter.end(isInterrupted: signal != nil, command: uploads.isEmpty ? command : "the same command")
        let hasFailed = await reporter.failed > 0
        return signal ?? (hasFailed ? 1 : 0)
    }

    /// Forgets downloads that the server refused without sending a byte, for example those of a mistyped URL: there is
    /// nothing to resume, and no later run in the folder should retry them unless asked to.
    private func forgetUseless(_ manager: DownloadManager) async {
        for task in manager.tasks where task.error?.code == .rejected && task.state == .failed && task.bytes == 0 {
            do throws(DownloadError) {
                try await manager.forget(task.id)
            } catch {
                Reporter.complain(TerminalText.clean(error.message))
            }
        }
    }

    /// Draws bars ten times a second. Returns when everything has ended, even if a slow output missed the events of the
    /// end.
    private func draw(_ manager: DownloadManager) async {
        var idleTicks = 0
        for tick in 1... {
            await reporter.draw()
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
            guard tick.isMultiple(of: 10) else { continue }
            let tasks = manager.tasks
            idleTicks = tasks.allSatisfy(\.state.isFinal) ? idleTicks + 1 : 0
            guard idleTicks > 1 else { continue }
            return await reporter.take(tasks)
        }
    }

    /// Adds the transfers that were named, each of which continues an earlier one of the same file; or if none was,
    /// restores all of the folder. Returns false if there is nothing to load.
    private func enqueue(
        _ requests: [DownloadRequest], _ uploads: [UploadRequest], _ manager: DownloadManager
    ) async -> Bool {
        do throws(DownloadError) {
            if requests.isEmpty, uploads.isEmpty {
                for task in try await manager.restore(retryingFailed: true) where task.state == .paused {
                    try await manager.resume(task.id)
                }
            }
        } catch {
            Reporter.complain(TerminalText.clean(error.message))
            return false
        }
        var refused = 0
        func refuse(_ name: String, _ error: DownloadError) {
            // It was named twice.
            guard error.code != .alreadyQueued else { return }
            refused += 1
            Reporter.complain("\(name): \(TerminalText.clean(error.message))")
        }
        for (request, result) in zip(requests, await manager.enqueue(requests)) {
            if case .failure(let error) = result { refuse(Printed.url(request.url), error) }
        }
        for upload in uploads {
            do throws(DownloadError) {
                try await manager.enqueue(upload)
            } catch {
                refuse(TerminalText.clean(upload.file), error)
            }
        }
        await reporter.expect(manager.tasks)
        await reporter.refused(refused)
        if await reporter.isEmpty {
            if refused == 0 { Reporter.complain("nothing to load: name a URL; see --help") }
            return false
        }
        return true
    }

    /// A command that resumes the transfers. It contains no URL, which may be a secret: the folder contains the state.
    private var command: String {
        var words = ["net-get"]
        if let folder = configuration.folder, folder != "." {
            words.append("--output '\(folder.replacing("'", with: "'\\''"))\(folder.hasSuffix("/") ? "" : "/")'")
        }
        if hasHeaders { words.append("--header …") }
        return words.joined(separator: " ")
    }
}
#endif
