#if os(Linux)
import Foundation
import Testing

/// The wires of docs/wires.md are those that the conformance set runs with real daemons.
@Suite struct DocumentedWiresTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: ["MQTTWire", "STOMPWire", "NATSWire", "DevToolsWire", "SocketWire+Daemons"])
    func thePageHasTheProgramsText(_ name: String) throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/wires.md"), encoding: .utf8)
        let file = Self.root.appending(
            path: "Tests/Conformance/Sources/conformance-socket-peers/Wires/\(name).swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(page.contains("```swift\n\(text)```\n"), "copy \(name).swift into docs/wires.md")
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 70)
    }
}
#endif
