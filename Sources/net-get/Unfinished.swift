#if Tools
internal import Foundation
internal import NetCore
internal import NetHTTP

/// The unfinished transfers of a folder for downloads, and those of the folder for the states of uploads.
struct Unfinished {
    /// The folder of the downloads.
    let folder: String
    /// The folder of the uploads' states.
    let states: String
    let isJSON: Bool

    /// A transfer, and the folder that its journal is in.
    private struct Found {
        let folder: DownloadFolder
        let transfer: RestoredDownload
    }

    /// A line of `--json`.
    private struct Line: Encodable {
        let event = "unfinished"
        var id, kind, url, state: String
        var name, file, code, message: String?
        var bytes: Int64
        var total: Int64?
    }

    /// Prints the transfers; returns the exit code.
    func list() -> Int32 {
        let (found, isComplete) = find()
        var bytes: Int64 = 0
        for each in found {
            let line = line(each.transfer)
            bytes += line.bytes
            write(line)
        }
        if !isJSON {
            let count = "\(found.count) unfinished \(found.count == 1 ? "transfer" : "transfers")"
            StandardOutput.write("\(count), \(TerminalText.bytes(bytes)) received or sent\n")
        }
        return isComplete ? 0 : 2
    }

    /// Drops the transfers that are named by an ID or its beginning, a file's name, or a URL; `all` drops each. Returns the
    /// exit code.
    func forget(_ names: [String]) -> Int32 {
        let (found, isComplete) = find()
        var hasFailed = !isComplete
        for name in names {
            let matches = found.filter { isNamed($0.transfer, name) }
            if matches.isEmpty, name != "all" {
                Reporter.complain(
                    "there is no unfinished transfer \"\(TerminalText.clean(Printed.url(name)))\"; see --list")
                hasFailed = true
            }
            for each in matches {
                do throws(DownloadError) {
                    try each.folder.remove(each.transfer.identity.id)
                    if !isJSON { StandardOutput.write("forgotten  \(text(each.transfer))\n") }
                } catch {
                    Reporter.complain(TerminalText.clean(error.message))
                    hasFailed = true
                }
            }
        }
        return hasFailed ? 2 : 0
    }

    /// Reads the journals; false if some are in use by another program.
    private func find() -> (found: [Found], isComplete: Bool) {
        var (found, isComplete): ([Found], Bool) = ([], true)
        for path in [folder, states] + UploadStates.folders(in: states) {
            guard Destination.isFolder("\(path)/.downloads") else { continue }
            do throws(DownloadError) {
                let folder = try DownloadFolder.open(path)
                for transfer in try folder.restore() where transfer.finished == nil {
                    found.append(Found(folder: folder, transfer: transfer))
                }
            } catch {
                Reporter.complain(TerminalText.clean(error.message))
                isComplete = false
            }
        }
        return (found.sorted { $0.transfer.identity.createdAt < $1.transfer.identity.createdAt }, isComplete)
    }

    private func isNamed(_ transfer: RestoredDownload, _ name: String) -> Bool {
        let identity = transfer.identity
        let id = identity.id.uuidString.lowercased()
        let isID = name.count >= 8 && id.hasPrefix(name.lowercased())
        return name == "all" || isID || name == identity.url || name == self.name(transfer)
            || name == identity.upload?.file
    }

    private func name(_ transfer: RestoredDownload) -> String {
        let identity = transfer.identity
        return identity.upload?.name
            ?? DownloadName.choose(
                requested: identity.fileName,
                disposition: transfer.version?.fileName.map { .init(kind: "attachment", filename: $0) },
                url: identity.url,
                id: identity.id)
    }

    private func line(_ transfer: RestoredDownload) -> Line {
        let identity = transfer.identity
        let state = identity.failure != nil ? "failed" : identity.isPaused ? "paused" : "interrupted"
        return Line(
            id: identity.id.uuidString.lowercased(), kind: identity.upload == nil ? "download" : "upload",
            url: Printed.url(identity.url), state: state, name: name(transfer), file: identity.upload?.file,
            code: identity.failure?.code, message: identity.failure?.message, bytes: transfer.received,
            total: transfer.total)
    }

    private func write(_ line: Line) {
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let data = try? encoder.encode(line) else { return }
            return StandardOutput.write(String(decoding: data, as: UTF8.self) + "\n")
        }
        let size = line.total.map { " of \(TerminalText.bytes($0))" } ?? ""
        let amount =
            line.kind == "upload" ? line.total.map(TerminalText.bytes) ?? "" : TerminalText.bytes(line.bytes) + size
        let reason = line.message.map { ": \(TerminalText.clean($0))" } ?? ""
        StandardOutput.write(
            "\(line.id)  \(line.kind)  \(line.state)  \(amount)  \(TerminalText.clean(line.name ?? ""))  "
                + "\(TerminalText.clean(line.url))\(reason)\n")
    }

    private func text(_ transfer: RestoredDownload) -> String {
        "\(transfer.identity.id.uuidString.lowercased())  \(TerminalText.clean(name(transfer)))"
    }
}
#endif
