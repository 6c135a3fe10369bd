#if Tools
import Foundation
import Testing

@Suite struct GeneratedClientTests {
    @Test func theClientsOfThePackageAreWhatTheGeneratorMakes() async throws {
        let generator = try #require(PackageFolder.product("net-openapi-generate"), "build the whole package first")
        let result = try await run(
            "scripts/regenerate", ["--compare"], environment: ["NET_GENERATOR": generator.path])
        #expect(result.status == 0, "\(result.output)")
        let folders = [
            "Tests/NetOpenAPITests/Generated/PostOffice", "Tests/NetOpenAPITests/Generated/ParcelDepot",
            "Sources/net-lab/Generated",
        ]
        #expect(result.lines == folders.map { "the API client in \($0) is what the generator makes" })
    }
}
#endif
