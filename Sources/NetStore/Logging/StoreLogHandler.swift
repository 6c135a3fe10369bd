public import Logging
public import NetCore

/// Writes log lines into a store, each as an entry. A line belongs to a call if its metadata contains the call's ID as
/// `call`, as the log lines of clients do.
///
///     let store = try ActivityStore(path: "activity.sqlite")
///     LoggingSystem.bootstrap { label in
///         MultiplexLogHandler([
///             StreamLogHandler.standardError(label: label), StoreLogHandler(label: label, store: store),
///         ])
///     }
///
/// Metadata values with sensitive names are redacted, and so are secrets in URLs and JSON within values and the
/// message. Prose is stored unchanged: a secret in plain words can't be detected. Logging returns immediately: if the
/// store's queue is full, the line is dropped and counted.
public struct StoreLogHandler: LogHandler {
    /// The label, stored as the entry's ``StoredItem/name``.
    public let label: String
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    /// The minimum level. Default `info`.
    public var logLevel: Logger.Level = .info
    private let store: ActivityStore
    private let redaction: RedactionPolicy

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - label: The label of the logger.
    ///   - store: The store. The handler retains it; after ``ActivityStore/close()``, lines are dropped.
    ///   - redaction: The policy that decides which metadata values are redacted. Default `safeDefault`.
    public init(label: String, store: ActivityStore, redaction: RedactionPolicy = .safeDefault) {
        self.label = label
        self.store = store
        self.redaction = redaction
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        let owner = all["call"].flatMap { CallID(text: "\($0)") }
        if owner != nil { all["call"] = nil }
        let date = store.clock.date()
        store.record(
            PendingLogLine(
                CallID(date: date, random: .system), occurredAt: StoredTime.microseconds(of: date),
                level: Logger.Level.allCases.firstIndex(of: event.level) ?? 2, label: label,
                message: LogText("\(event.message)", redaction: redaction).text,
                detail: StoredMetadata(all, redaction: redaction).text, owner: owner))
    }
}

/// The metadata of a log line as JSON.
struct StoredMetadata: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// A value, or a list or dictionary of values.
    private struct Value: Encodable {
        let value: Logger.MetadataValue
        let redaction: RedactionPolicy

        func encode(to encoder: any Encoder) throws {
            switch value {
            case .dictionary(let values): try StoredMetadata(values, redaction: redaction).encode(to: encoder)
            case .array(let values):
                var container = encoder.unkeyedContainer()
                for value in values { try container.encode(Value(value: value, redaction: redaction)) }
            case .string, .stringConvertible:
                var container = encoder.singleValueContainer()
                try container.encode(LogText("\(value)", redaction: redaction).text)
            }
        }
    }

    private let metadata: Logger.Metadata
    private let redaction: RedactionPolicy

    init(_ metadata: Logger.Metadata, redaction: RedactionPolicy) {
        self.metadata = metadata
        self.redaction = redaction
    }

    /// The JSON text; nil if there is no metadata.
    var text: String? {
        guard !metadata.isEmpty, let bytes = try? JSONCoding.standard.encode(self) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in metadata {
            let key = Key(stringValue: name)
            if redaction.isSensitive(anyName: name) {
                try container.encode("<redacted>", forKey: key)
            } else {
                try container.encode(Value(value: value, redaction: redaction), forKey: key)
            }
        }
    }
}
