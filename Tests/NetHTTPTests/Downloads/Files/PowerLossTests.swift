import Foundation
import NetCore
import Testing

@testable import NetHTTP

/// A download on a disk that loses any part of the unflushed data, at any call: a completed file is correct.
@Suite(.timeLimit(.minutes(2))) struct PowerLossTests {
    /// Runs one download through up to ten ends of its process; returns the problem, if any.
    private func problem(seed: Int) -> String? {
        var download = SimulatedDownload(seed: seed)
        let disk = download.disk
        let hadOlder = download.random.chance(30)
        if hadOlder { disk.put(SimulatedDownload.older, as: SimulatedDownload.name) }
        for _ in 0..<10 {
            let fault: SimulatedDisk.Fault =
                download.random.chance(80)
                ? .end
                : [.failure(EIO), .failure(ENOSPC), .shortWrite][download.random.below(3)]
            disk.fail(call: 1 + download.random.below(120), fault)
            let path = try? download.run()
            if let problem = check(download, path: path, hadOlder: hadOlder) { return problem }
            let isPowerLost = download.random.chance(60)
            if isPowerLost { disk.losePower(download.random) } else { disk.endProcess() }
            if !isPowerLost, fault == .end, path == nil, let problem = missing(download) { return problem }
            if let problem = check(download, path: path, hadOlder: hadOlder) {
                return "after the end (\(isPowerLost ? "power" : "process")): \(problem)"
            }
            if path != nil { return nil }
        }
        disk.repair()
        var path: String?
        for _ in 0..<20 where path == nil { path = try? download.run() }
        guard path != nil else { return "never ends" }
        return check(download, path: path, hadOlder: hadOlder)
    }

    /// After the end of the process, nearly all written bytes must be there. Returns the problem, if any.
    private func missing(_ download: SimulatedDownload) -> String? {
        let limit = max(SimulatedDownload.limits.noteBytes, Int64(SimulatedDownload.maximumChunk))
        let found = try? DownloadFolder.open(SimulatedDownload.folder, disk: download.disk).restore().first
        guard let found, found.finished == nil else { return nil }
        let lost = download.written.count - found.received
        return lost > limit ? "\(lost) bytes are lost after the end of the process" : nil
    }

    /// Checks that the files are complete, and that a finished one is there.
    private func check(_ download: SimulatedDownload, path: String?, hadOlder: Bool) -> String? {
        let wrong = download.wrongFiles()
        if !wrong.isEmpty { return "wrong bytes in \(wrong)" }
        let names = download.disk.names(in: "")
        if let path, !names.contains(where: { path.hasSuffix("/" + $0) }) { return "\(path) is gone" }
        if hadOlder, download.placing == .number,
            download.disk.contents(SimulatedDownload.name) != SimulatedDownload.older
        {
            return "the older file is gone"
        }
        return nil
    }

    @Test func noFileHasAWrongByteWhateverADiskLoses() {
        var problems: [String] = []
        for seed in 0..<10_000 {
            if let problem = problem(seed: seed) { problems.append("seed \(seed): \(problem)") }
        }
        #expect(problems.isEmpty, "\(problems.count) of 10000: \(problems.prefix(5).joined(separator: "\n"))")
    }
}
