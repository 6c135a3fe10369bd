import Foundation
import Testing

@Suite struct URLSessionDefaultsTests {
    @Test func thePageSaysWhatTheCodeDoes() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/defaults.md")
        let documented = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `URLSession") }
            .map { $0.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: [" ", "`"]) } }
        let settings = URLSessionTransport.Configuration()
        let actual = [
            "maximumConnectionsPerHost": "\(settings.maximumConnectionsPerHost)",
            "streamBuffer": "\(settings.streamBuffer >> 20) MiB",
        ]
        #expect(documented.count == actual.count)
        for row in documented {
            #expect(actual[row[0].replacing("URLSessionTransport.Configuration.", with: "")] == row[1])
        }
    }
}
