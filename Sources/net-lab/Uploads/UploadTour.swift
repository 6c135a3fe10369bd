#if Tools && Server
internal import Foundation
internal import NetCore
internal import NetHTTP
internal import NetTestServer

/// Uploads a file over a connection that is cut, pauses, and continues with another manager, as after a restart of the
/// program.
struct UploadTour {
    let client: HTTPClient
    let configuration: DownloadManager.Configuration
    let proxy: TCPProxy
    let depot: UploadDepot
    /// The path of the file.
    let file: String
    let bytes: Int

    /// Returns true if the file arrived unchanged.
    func run() async throws -> Bool {
        Terminal.print(
            Terminal.bold("\(TerminalText.bytes(Int64(bytes))) to a tus server; the connection is cut after 40 %"))
        proxy.configuration.toServer.cut = TCPProxy.Cut(afterBytes: Int64(bytes * 2 / 5), form: .reset)
        let first = DownloadManager(client: client, configuration: configuration)
        let events = first.events
        let id = try await first.enqueue(UploadRequest(file, to: "http://127.0.0.1:\(proxy.port)/files/"))
        await follow(events, id, upTo: Int64(bytes * 7 / 10))
        try await first.pause(id)
        guard first.task(id)?.state == .paused else {
            Terminal.print("  \(Terminal.red("not paused")) the upload had ended; try a lower --rate")
            await first.shutdown()
            return false
        }
        await first.shutdown()
        Terminal.print("  paused     the program ends; the journal is kept")
        Terminal.print("")
        Terminal.print(Terminal.bold("Another program resumes it"))
        let second = DownloadManager(client: client, configuration: configuration)
        let laterEvents = second.events
        for task in try await second.restore() {
            Terminal.print("  found      \(task.name), \(task.state)")
            try await second.resume(task.id)
        }
        await follow(laterEvents, id, upTo: .max)
        let uploaded = try await second.uploadedFile(of: id)
        await second.shutdown()
        return report(uploaded)
    }

    /// Prints the events until the given number of bytes has been sent or the upload has ended.
    private func follow(_ events: AsyncStream<DownloadEvent>, _ id: UUID, upTo limit: Int64) async {
        var isSlowed = false
        for await event in events {
            guard event.task.id == id else { continue }
            switch event.kind {
            case .state(.uploading): Terminal.print("  sends      from byte \(event.task.bytes)")
            case .error(let error):
                // Stops cutting the connection.
                proxy.configuration.toServer.cut = nil
                isSlowed = true
                Terminal.print("  \(Terminal.red("interrupted")) \(error.message)")
            case .progress(let progress):
                let share = progress.fraction.map { "\(Int($0 * 100)) %" } ?? ""
                Terminal.progress("  sending    \(share)")
                if isSlowed, progress.bytes >= limit { return }
            default: break
            }
            if event.task.state.isFinal { return }
        }
    }

    private func report(_ uploaded: UploadedFile) -> Bool {
        let sent = try? Bytes(Data(contentsOf: URL(fileURLWithPath: file)))
        let isSame = depot.all.count == 1 && depot.all.first?.bytes == sent
        let twice = depot.receivedBytes - bytes
        Terminal.print(
            "  \(isSame ? Terminal.green("arrived") : Terminal.red("WRONG"))    \(TerminalText.bytes(uploaded.bytes)) by "
                + "\(uploaded.uploadProtocol.rawValue); \(TerminalText.bytes(Int64(twice))) sent twice")
        return isSame && twice == 0
    }
}
#endif
