#if Server
import Foundation
import Testing

/// The result of one program for one call; also a line of the file that `scripts/conformance har` evaluates.
struct HARVerdict: Codable {
    var check: String
    var `case`: String?
    var passed: Bool?
    var detail: String?
    var skipped: String?

    /// Fails the test if the case failed, prints a skipped one, and writes the line to the file in the environment, if
    /// set.
    func tell(sourceLocation: SourceLocation = #_sourceLocation) {
        if let skipped { print("skipped: \(check): \(skipped)") }
        #expect(
            skipped != nil || passed == true, "\(check), \(self.case ?? ""): \(detail ?? "")",
            sourceLocation: sourceLocation)
        guard let path = ProcessInfo.processInfo.environment["NET_HAR_VERDICTS"],
            let line = try? JSONEncoder().encode(self)
        else { return }
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        guard let file = FileHandle(forWritingAtPath: path) else { return }
        file.seekToEndOfFile()
        file.write(line + Data("\n".utf8))
        try? file.close()
    }
}

/// The programs installed by `scripts/bootstrap --tests`.
enum PeerProgram {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    static let mitmdump = root + "/.build-peers/python/bin/mitmdump"

    /// The Python with the peers, or the system's, which reports missing packages.
    static var python: String {
        let own = root + "/.build-peers/python/bin/python3"
        return FileManager.default.isExecutableFile(atPath: own) ? own : "/usr/bin/python3"
    }

    /// Runs a program on a separate thread.
    static func run(_ path: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let process = Process()
                        process.executableURL = URL(filePath: path)
                        process.arguments = arguments
                        process.standardInput = FileHandle.nullDevice
                        let pipe = Pipe()
                        process.standardOutput = pipe
                        process.standardError = pipe
                        try process.run()
                        let output = pipe.fileHandleForReading.readDataToEndOfFile()
                        process.waitUntilExit()
                        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
                    })
            }
        }
    }
}
#endif
