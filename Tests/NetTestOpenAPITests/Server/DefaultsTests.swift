#if Server
import Foundation
import Testing

@testable import NetTestOpenAPI

@Suite struct DefaultsTests {
    @Test func thePageOfDefaultsSaysWhatTheCodeDoes() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: package.appending(path: "docs/defaults.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `OpenAPI") }
            .map { $0.split(separator: "|").prefix(2).map { $0.filter { $0 != " " && $0 != "`" } } }
        #expect(
            rows == [
                ["OpenAPIServer.maximumFaults", "\(OpenAPIServer.maximumFaults)"],
                ["OpenAPIValidator.maximumFindings", "\(OpenAPIValidator.maximumFindings)"],
                ["OpenAPIValidator.maximumSteps", "\(OpenAPIValidator.maximumSteps)"],
                ["OpenAPIValidator.maximumPatternSteps", "\(OpenAPIValidator.maximumPatternSteps)"],
            ])
    }
}
#endif
