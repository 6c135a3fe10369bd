#if Server
import Foundation
import Testing

/// What one program makes of one call; also a line of the file that `scripts/conformance har` counts.
struct HARVerdict: Codable {
    var check: String
    var `case`: String?
    var passed: Bool?
    var detail: String?
    var skipped: String?

    /// Fails the test where it did not pass, says what was skipped, and writes the line where the environment names a file.
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

/// Programs that `scripts/bootstrap --tests` installs.
enum PeerProgram {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    static let mitmdump = root + "/.build-peers/python/bin/mitmdump"

    /// The Python that has the peers; without it the system's, which says what is missing.
    static var python: String {
        let own = root + "/.build-peers/python/bin/python3"
        return FileManager.default.isExecutableFile(atPath: own) ? own : "/usr/bin/python3"
    }

    /// Runs a program on a thread of its own.
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
