#if Tools
internal import ArgumentParser
internal import Foundation
internal import NetCore
internal import NetStore

struct ImportHAR: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "har", abstract: "Add the entries of a HAR 1.2 file of a browser, a proxy or a store.",
        discussion: """
            Secrets are hidden. What can't be read is skipped and counted; with --strict, all entries are added, or \
            none. A second import of the same file adds nothing. A missing store is created. Entries keep their \
            dates: without --pin, old ones are deleted like all old entries.
            """)

    @Argument(help: "The HAR file, gzipped or not.", completion: .file(extensions: ["har", "gz"])) var har: String
    @Option(
        name: [.customShort("o"), .customShort("f"), .customLong("output"), .customLong("file")],
        help: "The store. Default: \(StoreArguments.place).",
        completion: .file())
    var store: String?
    @Flag(help: "Protect the entries from automatic deletion.") var pin = false
    @Flag(help: "Add nothing if an entry isn't in the form of HAR 1.2.") var strict = false
    @Option(help: "The maximum size in bytes of the file and of its decompressed text.") var maximumBytes = Size(
        512 << 20)
    @Flag(help: "Print what was added as a JSON object.") var json = false

    /// The configuration of a store during an import. Retention isn't applied, only later; bodies up to 64 MiB and all
    /// messages are stored in full.
    static var store: ActivityStore.Configuration {
        ActivityStore.Configuration(
            maximumFileBytes: 1 << 40, maximumBodyBytes: 64 << 20, maximumMessages: .max,
            pruneInterval: .seconds(86_400))
    }

    func run() async throws {
        // Checked before the store is created: a mistyped name must not leave an empty store.
        guard FileManager.default.fileExists(atPath: har) else {
            throw StoreError(.notFound, message: "there is no such file", path: har)
        }
        let path = try store ?? ActivityStore.defaultPath()
        let isNew = !FileManager.default.fileExists(atPath: path)
        let writer = try ActivityStore(path: path, configuration: Self.store)
        do {
            let added = try await writer.importHAR(
                at: har, pins: pin, isStrict: strict, maximumBytes: Int(clamping: maximumBytes.bytes))
            try await writer.close()
            try show(added, path)
        } catch {
            try? await writer.close()
            if isNew {
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            }
            throw error
        }
    }

    private func show(_ added: HARImport, _ path: String) throws {
        if json { return print(try ImportLine(path, added).json()) }
        var parts = ["\(added.calls) \(added.calls == 1 ? "call" : "calls")"]
        if added.sockets > 0 { parts.append("\(added.sockets) WebSockets with \(added.messages) messages") }
        if added.alreadyStored > 0 { parts.append("\(added.alreadyStored) were already stored") }
        print("\(TerminalText.clean(path)): \(parts.joined(separator: ", "))")
        RemarksText(added).show()
        guard added.expiring > 0 else { return }
        let text = """
            \(added.expiring) of them ended more than 14 days ago, and will be deleted by the next program that \
            writes the store with its default limits. To keep them, import into another file, or with --pin.\n
            """
        FileHandle.standardError.write(Data(text.utf8))
    }
}

/// The result of an import, as a JSON line.
private struct ImportLine: Encodable {
    let file: String
    let entries, calls, sockets, messages, alreadyStored, expiring: Int
    let run: Int64?
    let skippedEntries, skippedParts, guesses: Int
    let remarks: [Remark]

    struct Remark: Encodable {
        let kind, reason, place: String
        let line: Int
    }

    init(_ file: String, _ added: HARImport) {
        self.file = file
        (entries, calls, sockets) = (added.entries, added.calls, added.sockets)
        (messages, alreadyStored, expiring) = (added.messages, added.alreadyStored, added.expiring)
        run = added.run
        (skippedEntries, skippedParts, guesses) = (added.skippedEntries, added.skippedParts, added.guesses)
        remarks = added.remarks.map {
            Remark(kind: $0.kind.rawValue, reason: $0.reason, place: $0.place, line: $0.line)
        }
    }
}
#endif
