import Foundation
import Testing

@Suite struct URLSessionDefaultsTests {
    @Test func thePageSaysWhatTheCodeDoes() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/defaults.md")
        let documented = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `URLSession") }
            .map { $0.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: [" ", "`"]) } }
        let settings = URLSessionTransport.Configuration()
        let sockets = URLSessionWebSocketTransport.Configuration()
        let actual = [
            "URLSessionTransport.Configuration.maximumConnectionsPerHost": "\(settings.maximumConnectionsPerHost)",
            "URLSessionTransport.Configuration.streamBuffer": "\(settings.streamBuffer >> 20) MiB",
            "URLSessionWebSocketTransport.Configuration.inboxBytes": "\(sockets.inboxBytes >> 20) MiB",
            "URLSessionWebSocketTransport.Configuration.sendBufferBytes": "\(sockets.sendBufferBytes >> 20) MiB",
        ]
        #expect(documented.count == actual.count)
        for row in documented { #expect(actual[row[0]] == row[1]) }
    }
}
