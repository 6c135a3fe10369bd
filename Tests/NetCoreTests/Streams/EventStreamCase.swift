import Foundation
import NetCore
import Testing

/// One case of `Fixtures/conformance/sse/sse-cases.json`.
struct EventStreamCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Event: Decodable, Sendable, Equatable {
        let type: String
        let data: String
        let lastEventId: String
    }

    /// The reconnection time that the stream sets: a number, none, or not compared.
    enum Retry: Decodable, Sendable, Equatable {
        case unset
        case any
        case milliseconds(Int64)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .unset
            } else if let number = try? container.decode(Int64.self) {
                self = .milliseconds(number)
            } else {
                self = .any
            }
        }
    }

    let id: String
    let note: String
    let inputB64: Data
    let events: [Event]
    let finalLastEventId: String
    let retryMs: Retry

    var testDescription: String { id }
    var input: [UInt8] { Array(inputB64) }

    static let all: [EventStreamCase] = {
        struct File: Decodable { let cases: [EventStreamCase] }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Fixtures/conformance/sse/sse-cases.json")
        guard let data = try? Data(contentsOf: file) else { return [] }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return (try? decoder.decode(File.self, from: data))?.cases ?? []
    }()
}

/// A parser's result for an input.
struct EventStreamOutcome: Equatable, Sendable {
    var events: [EventStreamCase.Event] = []
    var lastEventID = ""
    var retry: Duration?

    /// Parses the chunks one after another.
    init(_ chunks: [[UInt8]], maximumEventBytes: Int = 16 << 20) throws(NetError) {
        var parser = ServerSentEventParser(maximumEventBytes: maximumEventBytes)
        for chunk in chunks {
            var input = Bytes(chunk)
            while let event = try parser.next(from: &input) {
                events.append(.init(type: event.event, data: event.data, lastEventId: event.lastEventID))
            }
        }
        lastEventID = parser.lastEventID
        retry = parser.reconnectionTime
    }
}
