import Foundation
import Testing

/// Each public type appears on a page that describes its use.
@Suite struct PublicTypePagesTests {
    /// Returns the types that a listing in docs/api declares, without nested ones.
    private func types(in listing: String) throws -> [String] {
        let declaration = /(@\w+(\([^)]*\))? )*(final )?public (struct|class|enum|protocol|actor|typealias) (\w+)/
        return try PackageFolder.text(listing).split(separator: "\n").compactMap { line in
            line.prefixMatch(of: declaration).map { String($0.5) }
        }
    }

    private func files(in folder: String, _ suffix: String) throws -> [String] {
        let url = PackageFolder.root.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: url.path()).filter { $0.hasSuffix(suffix) }
            .map { "\(folder)/\($0)" }
    }

    @Test func eachStandsInAPage() throws {
        let pages = try files(in: "docs", ".md") + files(in: "Sources", ".md") + ["README.md"]
        var words: Set<Substring> = []
        for page in pages {
            words.formUnion(
                try PackageFolder.text(page).split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { $0 })
        }
        let listings = try files(in: "docs/api", ".api")
        #expect(!listings.isEmpty)
        for listing in listings {
            let missing = try types(in: listing).filter { !words.contains($0[...]) }
            #expect(missing.isEmpty, "\(listing): say in docs/types.md when to use these")
        }
    }
}
