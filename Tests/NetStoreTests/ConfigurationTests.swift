import Foundation
import NetCore
import Testing

@testable import NetStore

/// The settings of a store.
struct ConfigurationTests {
    @Test func theDefaultsAreThoseOfTheDocumentation() {
        let defaults = ActivityStore.Configuration()
        #expect(defaults.maximumQueuedEvents == 65_536)
        #expect(defaults.maximumQueuedBytes == 67_108_864)
        #expect(defaults.batchSize == 2000)
        #expect(defaults.batchDelay == .milliseconds(50))
        #expect(defaults.busyTimeout == .seconds(5))
        #expect(defaults.maximumFileBytes == 1_073_741_824)
        #expect(defaults.firstRetryDelay == .milliseconds(100))
        #expect(defaults.longestRetryDelay == .seconds(5))
        #expect(defaults.maximumBodyBytes == 262_144)
        #expect(defaults.maximumMessages == 10_000)
        #expect(defaults.capture == .nothing)
        #expect(defaults.retention == .standard)
        #expect(defaults.pruneInterval == .seconds(10))
        #expect(defaults.version == nil)
        #expect(defaults.open == nil)
        let retention = ActivityStore.Retention.standard
        #expect(retention.age == .seconds(1_209_600))
        #expect(retention.entries == 1_000_000)
        #expect(retention.bytes == 536_870_912)
        #expect(retention.rollUpAge == .seconds(34_560_000))
        let none = ActivityStore.Retention.none
        #expect(none.age == nil)
        #expect(none.entries == nil)
        #expect(none.bytes == nil)
        #expect(none.rollUpAge == nil)
    }

    @Test func eachChoiceOfCapturesIsAnInterest() {
        #expect(ActivityStore.Capture.nothing.interest == [])
        #expect(ActivityStore.Capture.headers.interest == [.headers])
        #expect(ActivityStore.Capture.bodies.interest == [.headers, .bodies, .socketMessages])
        #expect(ActivityStore.Capture(bodies: CaptureLimits()).interest == [.bodies])
        #expect(ActivityStore.Capture(hasMessages: true).interest == [.socketMessages])
        var limits = CaptureLimits()
        limits.bodyBytes = 7
        #expect(ActivityStore.Capture(bodies: limits).limits == limits)
        #expect(ActivityStore.Capture.nothing.limits == CaptureLimits())
        #expect(ActivityStore.Capture().rule == .all)
    }

    @Test func oneIsEnoughOfEverything() {
        let smallest = ActivityStore.Configuration(
            maximumQueuedEvents: 1, maximumQueuedBytes: 1, batchSize: 1, maximumFileBytes: 1, maximumBodyBytes: 1,
            maximumMessages: 1, pruneInterval: .nanoseconds(1))
        #expect(smallest.maximumQueuedEvents == 1)
        #expect(smallest.batchSize == 1)
        #expect(smallest.maximumFileBytes == 1)
    }

    @Test(arguments: 0..<7) func nothingMayBeZero(setting: Int) async {
        await #expect(processExitsWith: .failure) { [setting = setting as Int] in
            switch setting {
            case 0: _ = ActivityStore.Configuration(maximumQueuedEvents: 0)
            case 1: _ = ActivityStore.Configuration(maximumQueuedBytes: 0)
            case 2: _ = ActivityStore.Configuration(batchSize: 0)
            case 3: _ = ActivityStore.Configuration(maximumFileBytes: 0)
            case 4: _ = ActivityStore.Configuration(maximumBodyBytes: 0)
            case 5: _ = ActivityStore.Configuration(maximumMessages: 0)
            default: _ = ActivityStore.Configuration(pruneInterval: .zero)
            }
        }
    }

    @Test func theDefaultPlaceNeedsAFolderThatCanBeMade() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.file("file")))
        let blocked = ["XDG_STATE_HOME": folder.file("file")]
        let error = #expect(throws: StoreError.self) { try ActivityStore.defaultPath(environment: blocked) }
        #expect(error?.code == .notFound)
        #expect(error?.message.hasPrefix("could not make the folder: ") == true)
        #expect(error?.path == folder.file("file/swift-net"))
        #expect(throws: Never.self) { try ActivityStore.defaultPath(environment: blocked, makesFolder: false) }
        let home = try ActivityStore.defaultPath(environment: ["HOME": folder.path])
        #expect(home == folder.path + "/.local/state/swift-net/activity.sqlite")
        #expect(FileManager.default.fileExists(atPath: folder.path + "/.local/state/swift-net"))
        #expect(throws: StoreError.self) { try ActivityStore.defaultPath(environment: ["HOME": "relative"]) }
    }

    @Test func aStoreSetsItsFileUp() async throws {
        let folder = try TemporaryFolder()
        let configuration = ActivityStore.Configuration(maximumFileBytes: 409_600, retention: .none)
        let store = try ActivityStore(path: folder.file(), configuration: configuration)
        let pragmas = [
            "journal_mode", "synchronous", "secure_delete", "journal_size_limit", "temp_store", "max_page_count",
            "auto_vacuum",
        ]
        let values = try await store.writer.perform { desk throws(StoreError) in
            var values: [String] = []
            for pragma in pragmas {
                try desk.connection.query("PRAGMA \(pragma)") { row throws(StoreError) in
                    values.append(row.text(0) ?? "")
                }
            }
            return values
        }
        #expect(values == ["wal", "1", "1", "8388608", "2", "100", "2"])
        #expect(store.captureLimits == CaptureLimits())
        #expect(store.path == folder.file())
        try await store.close()
    }
}
