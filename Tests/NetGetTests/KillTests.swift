#if Tools && os(Linux)
import Foundation
import Glibc
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// net-get, killed at arbitrary moments and restarted: every file is correct in the end, and little is requested again.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: NginxSite.program != nil))
struct KillTests {
    /// `scripts/soak downloads` kills more often.
    private static let kills = ProcessInfo.processInfo.environment["NET_SOAK"] == "1" ? 100 : 30
    /// The maximum number of bytes of an open range that are requested again.
    private static let block: Int64 = 1 << 20
    /// A file with eight ranges, and three files with one each.
    private static let files = ["/large.bin": 64 << 20, "/a.bin": 9 << 20, "/b.bin": 7 << 20, "/c.bin": 5_000_001]

    /// The observed state after a kill.
    private struct Kill {
        let run: Int
        /// By path; only the files that weren't complete.
        var present: [String: PresentBlocks] = [:]
    }

    @Test func everyFileIsRightAfterThirtyKills() async throws {
        try await TemporaryFolder.with { folder in
            let site = folder.url.appending(path: "site")
            try await Self.make(Self.files, in: site)
            let log = folder.path("ranges")
            let locations = "access_log \(log) runs; location / { root \(site.path()); limit_rate 24m; }"
            try await NginxSite.with(locations, settings: RangeLog.format) { nginx in
                var (kills, run, round): ([Kill], Int, Int) = ([], 0, 0)
                let seeded = SeededRandom(seed: 34)
                var random = NetRandom { seeded.next() }
                while kills.count < Self.kills {
                    round += 1
                    let output = folder.url.appending(path: "round-\(round)/")
                    var isBegun = false
                    while true {
                        run += 1
                        let isLast = kills.count >= Self.kills
                        let growth = isLast ? .max : Int64.random(in: 1 << 20...7 << 20, using: &random)
                        let ended = try await Self.run(run, isBegun ? nil : nginx, output.path(), growth: growth)
                        isBegun = true
                        guard ended.exitCode == -1 else {
                            // 2 if the last run was killed when nothing was missing any more.
                            let isDone = ended.exitCode == 2 && ended.events.isEmpty
                            #expect(ended.exitCode == 0 || isDone, "\(ended.events.compactMap(\.message))")
                            break
                        }
                        kills.append(try Self.look(after: ended, run, site, output))
                    }
                    try await Self.check(output, site)
                }
                try Self.check(kills, RangeLog(String(contentsOfFile: log, encoding: .utf8)))
            }
        }
    }

    @Test func aFileThatChangedMeanwhileStartsOver() async throws {
        try await TemporaryFolder.with { folder in
            let site = folder.url.appending(path: "site")
            try await Self.make(["/large.bin": 24 << 20], in: site)
            let locations = "location / { root \(site.path()); limit_rate 24m; }"
            try await NginxSite.with(locations) { nginx in
                let output = folder.url.appending(path: "out/")
                let arguments = ["--output", output.path(), "--no-flush", "\(nginx.baseURL)/large.bin"]
                let first = try await NetGetRun.run(arguments) { ($0.bytes ?? 0) > 6 << 20 }
                #expect(first.exitCode == -1)
                try await Self.make(["/large.bin": 25 << 20], in: site)
                let second = try await NetGetRun.run(arguments)
                #expect(second.exitCode == 0, "\(second.events.compactMap(\.message))")
                try await Self.check(output, site)
            }
        }
    }

    // MARK: Steps

    private static func make(_ files: [String: Int], in folder: URL) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (path, size) in files {
            _ = try await Tool.run(["sh", "-c", "head -c \(size) /dev/urandom > '\(folder.path() + path)'"])
        }
    }

    /// Starts the four downloads of a site, or continues the unfinished ones, and kills the program after the given
    /// growth in bytes.
    private static func run(_ run: Int, _ nginx: NginxSite?, _ output: String, growth: Int64) async throws -> NetGetRun
    {
        let (begin, now) = (Locked<[String: Int64]>([:]), Locked<[String: Int64]>([:]))
        let urls = nginx.map { site in files.keys.sorted().map { "\(site.baseURL)\($0)" } } ?? []
        let arguments = ["--output", output, "--files", "4", "--parallel", "8", "--header", "X-Run: \(run)"]
        return try await NetGetRun.run(arguments + urls) { event in
            guard let id = event.id, let bytes = event.bytes else { return false }
            begin.change { if $0[id] == nil { $0[id] = bytes } }
            now.change { $0[id] = bytes }
            return now.value.values.reduce(0, +) - begin.value.values.reduce(0, +) >= growth
        }
    }

    /// Examines the state that a killed run has left.
    private static func look(after run: NetGetRun, _ number: Int, _ site: URL, _ output: URL) throws -> Kill {
        var kill = Kill(run: number)
        for event in run.events {
            guard let id = event.id, let url = event.url, let slash = url.lastIndex(of: "/") else { continue }
            let path = String(url[slash...])
            let part = output.appending(path: ".downloads/\(id).part")
            guard kill.present[path] == nil, let data = try? Data(contentsOf: part, options: .mappedIfSafe) else {
                continue
            }
            let whole = try Data(contentsOf: URL(filePath: site.path() + path), options: .mappedIfSafe)
            kill.present[path] = PresentBlocks(of: data, in: whole)
        }
        return kill
    }

    /// Checks that every downloaded file equals the server's, and that there are no other files.
    private static func check(_ output: URL, _ site: URL) async throws {
        _ = try await Tool.run(["diff", "--recursive", "--exclude=.downloads", output.path(), site.path()])
        let left = try FileManager.default.contentsOfDirectory(atPath: output.appending(path: ".downloads").path())
        #expect(left.filter { $0 != "lock" && $0 != "files" } == [])
    }

    private static func check(_ kills: [Kill], _ log: RangeLog) throws {
        var resumed = 0
        for kill in kills {
            for (path, present) in kill.present {
                let length = Int64(files[path] ?? 0)
                let again = log.asked(in: kill.run + 1, path, length: length)
                guard !again.isEmpty else { continue }
                resumed += 1
                let open = log.asked(in: kill.run, path, length: length).count
                let bytes = present.bytes(in: again)
                #expect(
                    bytes <= block * Int64(max(1, open)),
                    "run \(kill.run): \(bytes) bytes of \(path) were asked for again, of \(open) ranges; \(again)")
            }
        }
        let parallel =
            Set(log.entries.map(\.run)).map { log.asked(in: $0, "/large.bin", length: 64 << 20).count }.max() ?? 0
        print(
            "soak: \(kills.count) kills, \(resumed) downloads gone on with, up to \(parallel) requests of the large file a run"
        )
        #expect(resumed >= kills.count / 2)
        #expect(parallel >= 8)
    }
}
#endif
