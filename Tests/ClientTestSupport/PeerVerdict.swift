import Foundation
import Testing

/// The result of one case with another program; also a line of the file that a conformance script evaluates.
struct PeerVerdict: Encodable {
    let check, `case`: String
    let passed: Bool
    let detail: String

    /// Runs a case, and fails the test if it returns false or throws. Appends its line to the file in
    /// `NET_PEER_VERDICTS`, if set.
    static func of(
        _ check: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Bool
    ) async {
        var (passed, detail) = (false, "not as expected")
        do { passed = try await body() } catch { detail = "\(error)" }
        #expect(passed, "\(check), \(name): \(detail)", sourceLocation: sourceLocation)
        let verdict = PeerVerdict(check: check, case: name, passed: passed, detail: passed ? "" : detail)
        guard let path = ProcessInfo.processInfo.environment["NET_PEER_VERDICTS"],
            let line = try? JSONEncoder().encode(verdict)
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
