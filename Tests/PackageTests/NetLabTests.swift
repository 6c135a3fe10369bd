#if Tools && Server
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct NetLabTests {
    @Test func theTourPassesInPlainTextOfAHundredColumns() async throws {
        let lab = try #require(PackageFolder.product("net-lab"), "build the whole package first")
        try await withTemporaryFolder { folder in
            let store = folder.appendingPathComponent("tour.sqlite").path
            let result = try await run(lab.path, ["run", "--all", "--store", store])
            #expect(result.status == 0, "\(result.output)")
            #expect(!result.output.contains("\u{1b}"))
            // The length of the command with the store's path depends on the path.
            #expect(result.lines.filter { $0.count > 100 && !$0.contains(store) } == [])
            let count = try await run("sqlite3", [store, "SELECT count(*) >= 50 FROM net_item WHERE kind = 1"])
            #expect(count.output == "1\n")
        }
    }

    @Test func theCatalogueIsDownloadedByPriority() async throws {
        let lab = try #require(PackageFolder.product("net-lab"), "build the whole package first")
        let result = try await run(lab.path, ["downloads", "--rate", "20000000"])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.lines.filter { $0.hasPrefix("  right  ") }.count == 6)
        // The letter is critical, the atlas low; the first one that was added didn't have to wait for another.
        let begun = result.lines.filter { $0.hasPrefix("  begins     ") }.map { $0.dropFirst(13).prefix { $0 != " " } }
        let (letter, errata) = (begun.firstIndex(of: "letter.txt"), begun.firstIndex(of: "errata.html"))
        #expect(letter != nil, "\(begun)")
        #expect(errata != nil, "\(begun)")
        #expect(begun.count == 6, "\(begun)")
        #expect((letter ?? 9) < (begun.firstIndex(of: "ships.csv") ?? 0), "\(begun)")
    }

    @Test func anUploadOverACutConnectionArrivesWithoutAByteTwice() async throws {
        let lab = try #require(PackageFolder.product("net-lab"), "build the whole package first")
        // Slow enough that it is paused before it has ended, also beside other programs.
        let result = try await run(lab.path, ["upload", "--size", "3000000", "--rate", "500000"])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("  interrupted "))
        #expect(result.output.contains("  found      film.mp4, paused"))
        #expect(result.output.contains("by tus; 0 B sent twice"), "\(result.output)")
    }

    @Test func anUnknownScenarioIsRefused() async throws {
        let lab = try #require(PackageFolder.product("net-lab"), "build the whole package first")
        let result = try await run(lab.path, ["run", "nonsense"])
        #expect(result.status != 0)
        #expect(result.output.contains("there is no scenario \"nonsense\""))
    }

    @Test func aFileThatIsNoStoreIsNotReplaced() async throws {
        let lab = try #require(PackageFolder.product("net-lab"), "build the whole package first")
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("letter.txt")
            try "dear reader".write(to: file, atomically: true, encoding: .utf8)
            let result = try await run(lab.path, ["run", "--all", "--store", file.path])
            #expect(result.status != 0)
            #expect(result.output.contains("isn't a SQLite file"))
            #expect(try String(contentsOf: file, encoding: .utf8) == "dear reader")
        }
    }
}
#endif
