#if Tools
import Foundation
import Testing

@Suite struct GeneratedClientTests {
    @Test func generatedFilesMatchTheirGenerators() async throws {
        let generator = try #require(PackageFolder.product("net-openapi-generate"), "build the whole package first")
        let result = try await run(
            "scripts/regenerate", ["--compare"], environment: ["NET_GENERATOR": generator.path])
        #expect(result.status == 0, "\(result.output)")
        let folders = [
            "Tests/NetOpenAPITests/Generated/PostOffice", "Tests/NetOpenAPITests/Generated/ParcelDepot",
            "Sources/net-lab/Generated",
        ]
        let page = "the page in Sources/net-activity/Report/Generated is what its parts make"
        #expect(result.lines == folders.map { "the API client in \($0) is what the generator makes" } + [page])
    }
}
#endif
