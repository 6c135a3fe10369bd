#if os(Linux)
import Foundation
import Glibc
import TestSupport

/// `Fixtures/websocket/slow-resolver.c`: loaded into a process before libc, it makes name resolution slow.
///
/// libcurl uses libc's resolver, and libc uses the sources in the system's configuration files, which a test can't
/// change. A process that is started with the library preloaded uses the library instead.
enum SlowResolver {
    static let host = "name.slow.invalid"
    static let delay = Duration.seconds(1)

    /// The compiled library; nil if there is no C compiler.
    static let library: String? = {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(
                path: "Fixtures/websocket/slow-resolver.c")
        let output = FileManager.default.temporaryDirectory.appending(path: "net-slow-resolver-\(getpid()).so").path
        guard
            let compiler = ["/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc"].first(
                where: FileManager.default.isExecutableFile(atPath:)),
            let child = try? ChildProcess(compiler, ["-shared", "-fPIC", "-o", output, fixture.path, "-ldl"])
        else { return nil }
        child.wait()
        return FileManager.default.fileExists(atPath: output) ? output : nil
    }()

    static var isAvailable: Bool {
        if library == nil { print("skipped: no C compiler, so no slow resolver") }
        return library != nil
    }

    /// Runs `body`, whose exit tests start with the library preloaded.
    static func preloaded<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        setenv("LD_PRELOAD", library ?? "", 1)
        defer { unsetenv("LD_PRELOAD") }
        return try await body()
    }
}
#endif
