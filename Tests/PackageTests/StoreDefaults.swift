import NetCore
import NetStore

/// The defaults of an activity store, as listed in docs/defaults.md.
enum StoreDefaults {
    static var rows: [String: String] { activity.merging(otlp) { $1 }.merging(outbox) { $1 } }

    private static var otlp: [String: String] {
        let otlp = OTLPExporter.Configuration(endpoint: "http://localhost:4318")
        return [
            "OTLPExporter.Configuration.maximumBatch": "\(otlp.maximumBatch)",
            "OTLPExporter.Configuration.maximumBytes": DefaultsTests.bytes(otlp.maximumBytes),
            "OTLPExporter.Configuration.timeout": DefaultsTests.text(otlp.timeout),
            "OTLPExporter.Configuration.interval": DefaultsTests.text(otlp.interval),
            "OTLPExporter.Configuration.backoff": DefaultsTests.text(otlp.backoff),
            "OTLPExporter.Configuration.maximumRetryAfter": DefaultsTests.text(otlp.maximumRetryAfter),
            "OTLPExporter.Configuration.maximumResponseBytes": DefaultsTests.bytes(otlp.maximumResponseBytes),
        ]
    }

    private static var outbox: [String: String] {
        let outbox = Outbox.Configuration()
        let policy = outbox.retryPolicy
        return [
            "Outbox.Configuration.maximumItems": "\(outbox.maximumItems)",
            "Outbox.Configuration.maximumBodyBytes": DefaultsTests.bytes(outbox.maximumBodyBytes),
            "Outbox.Configuration.maximumTotalBytes": DefaultsTests.bytes(outbox.maximumTotalBytes),
            "Outbox.Configuration.maximumConcurrentSends": "\(outbox.maximumConcurrentSends)",
            "Outbox.Configuration.expiresAfter": days(outbox.expiresAfter),
            "Outbox.Configuration.retryPolicy":
                "\(policy.maximumAttempts) attempts, \(DefaultsTests.text(policy.backoff))",
            "Outbox.Configuration.keptResponseBytes": DefaultsTests.bytes(outbox.keptResponseBytes),
            "Outbox.Configuration.keptFinishedItems": "\(outbox.keptFinishedItems)",
            "Outbox.Configuration.senderPollInterval": DefaultsTests.text(outbox.senderPollInterval),
            "Outbox.Configuration.busyTimeout": DefaultsTests.text(outbox.busyTimeout),
        ]
    }

    private static var activity: [String: String] {
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
