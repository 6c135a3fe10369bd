import Foundation
import Logging
import NetCore
import NetTesting
import Testing

@testable import NetStore

/// The entries made from the lines of a log.
@Suite struct StoreLogHandlerTests {
    private let folder: TemporaryFolder
    private let clock = TestClock(date: Events.start)
    private let store: ActivityStore

    init() throws {
        folder = try TemporaryFolder()
        store = try ActivityStore(
            path: folder.file(), configuration: .init(retention: .none, clock: clock.netClock))
    }

    private func line(
        _ level: Logger.Level = .info, _ message: Logger.Message = "m", _ metadata: Logger.Metadata? = nil,
        _ change: (inout StoreLogHandler) -> Void = { _ in }
    ) async throws -> StoredItem {
        var handler = StoreLogHandler(label: "label", store: store)
        handler.logLevel = .trace
        change(&handler)
        Logger(label: "other", factory: { [handler] _ in handler }).log(level: level, message, metadata: metadata)
        try await store.flush()
        return try #require(try await store.items(limit: 1).first)
    }

    @Test func aLineHasItsLevelItsLabelAndItsTime() async throws {
        for level in Logger.Level.allCases {
            let line = try await line(level)
            #expect(line.level == level.rawValue)
            #expect(line.name == "label")
            #expect(line.message == "m")
            #expect(line.startedAt == Events.start)
            #expect(line.detail == nil)
            #expect(line.owner == nil)
            #expect(line.kind == .log)
        }
        #expect(StoreLogHandler(label: "l", store: store).logLevel == .info)
        try await store.close()
    }

    @Test func theNearestMetadataCounts() async throws {
        let line = try await line(.info, "m", ["a": "event", "b": ["c": "x", "list": ["y", ["z": "1"]]]]) { handler in
            handler.metadata = ["a": "handler", "d": "handler", "e": "handler"]
            handler[metadataKey: "f"] = "handler"
            #expect(handler[metadataKey: "f"] == "handler")
            #expect(handler[metadataKey: "g"] == nil)
            handler.metadataProvider = Logger.MetadataProvider { ["a": "provider", "d": "provider"] }
        }
        #expect(
            line.detail
                == #"{"a":"event","b":{"c":"x","list":["y",{"z":"1"}]},"d":"provider","e":"handler","f":"handler"}"#)
        try await store.close()
    }

    @Test func aCallInTheMetadataOwnsTheLine() async throws {
        let owned = try await line(.info, "m", ["call": .string(Events.id(4).description), "a": "b"])
        #expect(owned.owner == Events.id(4))
        #expect(owned.detail == #"{"a":"b"}"#)
        let alone = try await line(.info, "m", ["call": .stringConvertible(Events.id(4))])
        #expect(alone.owner == Events.id(4))
        #expect(alone.detail == nil)
        let other = try await line(.info, "m", ["call": "a phone call"])
        #expect(other.owner == nil)
        #expect(other.detail == #"{"call":"a phone call"}"#)
        try await store.close()
    }

    @Test func secretsAreHiddenWhereverTheyAre() async throws {
        let metadata: Logger.Metadata = [
            "password": ["a": "s3cret"], "nested": ["token": "s3cret", "url": "https://a/?api_key=s3cret"],
            "list": ["https://u:s3cret@a/"],
        ]
        let line = try await line(.info, "GET https://a/?api_key=s3cret&page=2", metadata)
        let detail = try #require(line.detail)
        #expect(!detail.contains("s3cret"))
        #expect(detail.contains(#""password":"<redacted>""#))
        #expect(detail.contains(#""token":"<redacted>""#))
        #expect(line.message?.contains("s3cret") == false)
        #expect(line.message?.hasPrefix("GET https://a/") == true)
        #expect(line.message?.hasSuffix("page=2") == true)
        try await store.close()
    }
}
