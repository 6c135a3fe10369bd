import NetCore
import NetStore

/// What an activity store does unless told otherwise, as docs/defaults.md says it.
enum StoreDefaults {
    static var rows: [String: String] {
        let store = ActivityStore.Configuration()
        return [
            "ActivityStore.Configuration.maximumQueuedEvents": "\(store.maximumQueuedEvents)",
            "ActivityStore.Configuration.batchSize": "\(store.batchSize)",
            "ActivityStore.Configuration.batchDelay": DefaultsTests.text(store.batchDelay),
            "ActivityStore.Configuration.busyTimeout": DefaultsTests.text(store.busyTimeout),
            "ActivityStore.Configuration.maximumFileBytes": DefaultsTests.bytes(Int(store.maximumFileBytes)),
            "ActivityStore.Configuration.firstRetryDelay": DefaultsTests.text(store.firstRetryDelay),
            "ActivityStore.Configuration.longestRetryDelay": DefaultsTests.text(store.longestRetryDelay),
            "ActivityStore.Configuration.maximumQueuedBytes": DefaultsTests.bytes(store.maximumQueuedBytes),
            "ActivityStore.Configuration.maximumBodyBytes": DefaultsTests.bytes(store.maximumBodyBytes),
            "ActivityStore.Configuration.maximumMessages": "\(store.maximumMessages)",
            "ActivityStore.Configuration.pruneInterval": DefaultsTests.text(store.pruneInterval),
            "ActivityStore.Retention.age": days(store.retention.age),
            "ActivityStore.Retention.entries": store.retention.entries.map { "\($0)" } ?? "none",
            "ActivityStore.Retention.bytes": store.retention.bytes.map { DefaultsTests.bytes(Int($0)) } ?? "none",
            "ActivityStore.Retention.rollUpAge": days(store.retention.rollUpAge),
            "CaptureLimits.bodyBytes": DefaultsTests.bytes(CaptureLimits().bodyBytes),
        ]
    }

    private static func days(_ duration: Duration?) -> String {
        duration.map { DefaultsTests.text($0 / 86_400, unit: " d") } ?? "none"
    }
}
