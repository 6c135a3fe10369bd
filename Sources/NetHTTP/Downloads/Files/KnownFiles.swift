internal import NetCore
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The complete files of a folder, in a list of JSON lines that outlives the manager. A line replaces earlier ones of
/// the same path.
///
/// Lines are added without a flush: after a power failure the last ones may be missing or damaged, and such a file is
/// loaded once more. Its functions block.
final class KnownFiles: Sendable {
    private struct State {
        /// The open list; nil before the first use.
        var file: DiskFile?
        var end: Int64 = 0
        /// By path; nil until the list is read.
        var files: [String: KnownFile]?
        /// The paths, by source.
        var paths: [String: String] = [:]
    }

    private static let name = "files"
    /// The size of the list from which outdated lines are removed.
    private static let maximumBytes: Int64 = 16 << 20
    /// The number of files that such a list keeps.
    private static let maximumFiles = 50_000

    private let disk: any DownloadDisk
    private let hidden: DiskFile
    private let state = Mutex(State())

    init(_ hidden: DiskFile, of disk: any DownloadDisk) { (self.hidden, self.disk) = (hidden, disk) }

    /// Returns the file that a URL has been downloaded to in a folder; nil if it isn't known.
    func file(from url: String, in folder: String) throws(DownloadError) -> KnownFile? {
        guard let source = KnownFile.source(url, folder) else { return nil }
        return try onState { (state) throws(DiskFailure) in
            let files = try read(&state)
            return state.paths[source].flatMap { files[$0] }
        }
    }

    /// Returns true if a file with this path is known, from whatever URL.
    func contains(path: String) throws(DownloadError) -> Bool {
        try onState { (state) throws(DiskFailure) in try read(&state)[path] != nil }
    }

    /// Adds a file, or replaces the one with the same path.
    func add(_ known: KnownFile) throws(DownloadError) {
        guard let line = Self.line(known) else { return }
        try onState { (state) throws(DiskFailure) in
            let file = try open(&state)
            if state.end > Self.maximumBytes { try shorten(&state) }
            try (state.file ?? file).write(Bytes(line), at: state.end)
            state.end += Int64(line.count)
            if state.files != nil { Self.insert(known, &state) }
        }
    }

    private func onState<Value: Sendable>(
        _ body: (inout State) throws(DiskFailure) -> Value
    ) throws(DownloadError) -> Value {
        try onDisk("use the list of complete downloads") { () throws(DiskFailure) in
            try state.withLock { (state) throws(DiskFailure) in try body(&state) }
        }
    }

    private func open(_ state: inout State) throws(DiskFailure) -> DiskFile {
        if let file = state.file { return file }
        let file = DiskFile(
            try disk.openFile(Self.name, in: hidden.descriptor, as: .existingOrNew, mode: 0o600), of: disk)
        state.end = try disk.status(of: file.descriptor).length
        // The last line may have been cut off.
        if state.end > 0, try file.read(at: state.end - 1, count: 1) != Bytes([UInt8(ascii: "\n")]) {
            try file.write(Bytes([UInt8(ascii: "\n")]), at: state.end)
            state.end += 1
        }
        state.file = file
        return file
    }

    private func read(_ state: inout State) throws(DiskFailure) -> [String: KnownFile] {
        if let files = state.files { return files }
        let file = try open(&state)
        state.files = [:]
        let text = try file.read(at: 0, count: Int(min(state.end, Self.maximumBytes * 2)))
        for line in Array(text).split(separator: UInt8(ascii: "\n")) {
            // Damaged lines are skipped.
            if let known = try? JSONCoding.standard.decode(KnownFile.self, from: Bytes(Array(line))) {
                Self.insert(known, &state)
            }
        }
        return state.files ?? [:]
    }

    /// Encodes a file as a line; nil if that fails.
    private static func line(_ known: KnownFile) -> [UInt8]? {
        guard let json = try? JSONCoding.standard.encode(known) else { return nil }
        return Array(json) + [UInt8(ascii: "\n")]
    }

    private static func insert(_ known: KnownFile, _ state: inout State) {
        if let old = state.files?.updateValue(known, forKey: known.path), state.paths[old.source] == old.path {
            state.paths[old.source] = nil
        }
        state.paths[known.source] = known.path
    }

    /// Writes the list again without outdated lines, with the files that became known last.
    private func shorten(_ state: inout State) throws(DiskFailure) {
        let files = try read(&state).values.sorted { $0.status.changed < $1.status.changed }.suffix(
            Self.maximumFiles)
        var text: [UInt8] = []
        (state.files, state.paths) = ([:], [:])
        for known in files {
            guard let line = Self.line(known) else { continue }
            text += line
            Self.insert(known, &state)
        }
        let name = "\(Self.name).new"
        do throws(DiskFailure) { try disk.remove(name, in: hidden.descriptor) } catch {
            if error.number != ENOENT { throw error }
        }
        let file = DiskFile(try disk.openFile(name, in: hidden.descriptor, as: .new, mode: 0o600), of: disk)
        try file.write(Bytes(text), at: 0)
        try disk.move(name, in: hidden.descriptor, to: Self.name, in: hidden.descriptor, isReplacing: true)
        (state.file, state.end) = (file, Int64(text.count))
    }
}
