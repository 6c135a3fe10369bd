public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A document kept with entries: a cassette, a report, a proof bundle, or an app's own data.
public struct StoredArtifact: Sendable, Hashable, Identifiable {
    /// The kind of an artifact: an open set, so that apps can add their own.
    public struct Kind: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// Recorded exchanges.
        public static let cassette = Kind(rawValue: "cassette")
        /// A report on how well calls conform to a contract.
        public static let contractReport = Kind(rawValue: "contractReport")
        /// A proof bundle: evidence of a call.
        public static let proofBundle = Kind(rawValue: "proofBundle")
        /// A schema at a point in time.
        public static let schemaSnapshot = Kind(rawValue: "schemaSnapshot")
    }

    /// The number of the artifact; 0 before it's saved.
    public var id: Int64
    /// The kind.
    public var kind: Kind
    /// The name, which needn't be unique.
    public var name: String
    /// A description in one sentence.
    public var summary: String?
    /// The media type of the body.
    public var contentType: String?
    /// The time when it was saved.
    public var createdAt: Date
    /// The entry that it belongs to.
    public var item: Int64?
    /// The size of the body in bytes.
    public var size: Int
}

extension StoredArtifact {
    static let columns = "id, kind, name, summary, content_type, created_at, item, length(body)"

    /// Reads a row of ``columns``.
    init(_ row: SQLiteRow) {
        self.init(
            id: row.integer(0) ?? 0, kind: Kind(rawValue: row.text(1) ?? ""), name: row.text(2) ?? "",
            summary: row.text(3), contentType: row.text(4), createdAt: StoredTime.date(row.integer(5) ?? 0),
            item: row.integer(6), size: row.int(7) ?? 0)
    }
}

extension ActivityQueries {
    /// Returns artifacts without their bodies, newest first.
    ///
    /// - Parameters:
    ///   - kind: Returns only artifacts of this kind. Default nil: all.
    ///   - limit: The maximum number of artifacts. Default 100.
    ///   - id: Returns only artifacts saved before this one. Default nil.
    public func artifacts(
        _ kind: StoredArtifact.Kind? = nil, limit: Int = 100, before id: Int64? = nil
    ) async throws(StoreError) -> [StoredArtifact] {
        try await reader.worker.perform { desk throws(StoreError) in
            var artifacts: [StoredArtifact] = []
            let sql = """
                SELECT \(StoredArtifact.columns) FROM net_artifact
                WHERE kind = coalesce(?, kind) AND id < ? ORDER BY id DESC LIMIT ?
                """
            let values: [SQLiteValue] = [
                .optional(kind?.rawValue), .integer(id ?? .max), .integer(Int64(max(0, limit))),
            ]
            try desk.connection.query(sql, values) { row throws(StoreError) in artifacts.append(StoredArtifact(row)) }
            return artifacts
        }
    }

    /// Returns an artifact and its body; nil if it isn't stored.
    public func artifact(id: Int64) async throws(StoreError) -> (artifact: StoredArtifact, body: Bytes)? {
        try await reader.worker.perform { desk throws(StoreError) in
            var found: (artifact: StoredArtifact, body: Bytes)?
            let sql = "SELECT \(StoredArtifact.columns), body FROM net_artifact WHERE id = ?"
            try desk.connection.query(sql, [.integer(id)]) { row throws(StoreError) in
                found = (StoredArtifact(row), Bytes(row.blob(8) ?? []))
            }
            return found
        }
    }
}
