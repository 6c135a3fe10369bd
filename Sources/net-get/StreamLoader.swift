#if Tools
internal import Foundation
internal import NetCore
internal import NetHTTP

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Loads one file into standard output, a device or a pipe. Everything else goes to standard error.
struct StreamLoader {
    let client: HTTPClient
    let request: DownloadRequest
    /// `-` for standard output, else the path of a device or a pipe.
    let target: String
    let isQuiet: Bool

    /// True for a target that isn't a file with a name and a size of its own.
    static func isStream(_ path: String?) -> Bool {
        guard let path else { return false }
        var status = stat()
        guard path != "-" else { return true }
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    /// Returns the exit code.
    func run() async -> Int32 {
        // A reader that ends early is an error of the write, not the end of this program.
        signal(SIGPIPE, SIG_IGN)
        let output = target == "-" ? STDOUT_FILENO : open(target, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else {
            Reporter.complain("\(TerminalText.clean(target)) can't be opened: \(reason)")
            return 2
        }
        defer { if output != STDOUT_FILENO { close(output) } }
        let interrupts = Interrupts()
        defer { interrupts.cancel() }
        let (codes, client, request) = (interrupts.codes, client, request)
        return await withTaskGroup(of: Int32.self) { group in
            group.addTask {
                var stream = DownloadStream(client: client, request: request)
                do throws(DownloadError) {
                    let bytes = try await stream.load { chunk throws(DownloadError) in
                        try write(chunk, to: output)
                    }
                    if !isQuiet { say("completed  \(TerminalText.bytes(bytes))  \(Printed.url(request.url))") }
                    return 0
                } catch {
                    if !error.isCancellation { Reporter.complain(TerminalText.clean("\(error.message)")) }
                    return 1
                }
            }
            group.addTask {
                for await code in codes { return code }
                return 1
            }
            let code = await group.next() ?? 1
            group.cancelAll()
            return code
        }
    }

    private func write(_ bytes: Bytes, to output: Int32) throws(DownloadError) {
        try bytes.withUnsafeBytes { source throws(DownloadError) in
            var offset = 0
            while offset < source.count {
                let rest = UnsafeRawBufferPointer(rebasing: source[offset...])
                let count = StandardOutput.write(rest, to: output)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    throw DownloadError(
                        .fileSystem,
                        message: "\(target == "-" ? "standard output" : target) can't be written: \(reason)")
                }
                offset += count
            }
        }
    }

    private var reason: String { strerror(errno).map { String(cString: $0) } ?? "error \(errno)" }

    private func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
#endif
