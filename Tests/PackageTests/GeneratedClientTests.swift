#if Tools
import Foundation
import Testing

@Suite struct GeneratedClientTests {
    @Test func theClientOfNetLabIsWhatTheGeneratorMakes() async throws {
        let generator = try #require(PackageFolder.product("net-openapi-generate"), "build the whole package first")
        let result = try await run(
            "scripts/regenerate", ["--compare"], environment: ["NET_GENERATOR": generator.path])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.lines.last == "the API client in Sources/net-lab/Generated is what the generator makes")
    }
}
#endif
