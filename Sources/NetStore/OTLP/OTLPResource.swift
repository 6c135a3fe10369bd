internal import NetCore
internal import NetCrypto

/// The attributes of the program run that wrote an entry.
struct OTLPResource: Sendable, Hashable {
    let attributes: OTLPAttributes

    /// Creates the attributes.
    ///
    /// - Parameters:
    ///   - run: The run; nil if it's no longer stored.
    ///   - extra: Attributes that the user adds; they replace others of the same name.
    init(_ run: Run?, extra: [String: String]) {
        var values: [(String, OTLPAttribute.Value)] = [
            ("service.name", .string(run?.process ?? "unknown_service")),
            ("telemetry.sdk.name", .string("swift-net")), ("telemetry.sdk.language", .string("swift")),
        ]
        if let run {
            if let version = run.version { values.append(("service.version", .string(version))) }
            values.append(("service.instance.id", .string(run.instance)))
            // An imported file doesn't contain it.
            if run.pid > 0 { values.append(("process.pid", .integer(run.pid))) }
            values.append(("swift_net.run", .integer(run.id)))
        }
        var attributes = OTLPAttributes()
        for (key, value) in values where extra[key] == nil { attributes.add(key, value) }
        for (key, value) in extra.sorted(by: { $0.key < $1.key }) { attributes.add(key, .string(value)) }
        self.attributes = attributes
    }

    /// A row of `net_run`.
    struct Run: Sendable, Hashable {
        let id: Int64
        let process: String
        let pid: Int64
        let version: String?
        let machine: String
        let started: Int64

        /// Returns the run; nil if it's no longer stored.
        static func find(_ id: Int64, on connection: SQLiteConnection) throws(StoreError) -> Run? {
            var run: Run?
            let sql = "SELECT process, pid, version, machine, started_at FROM net_run WHERE id = ?"
            try connection.rows(sql, [.integer(id)]) { row throws(StoreError) in
                run = Run(
                    id: id, process: row.text(0) ?? "", pid: row.integer(1) ?? 0, version: row.text(2),
                    machine: row.text(3) ?? "", started: row.integer(4) ?? 0)
            }
            return run
        }

        /// A stable and unique ID of the run: a version 8 UUID (RFC 9562 section 5.8).
        var instance: String {
            let source = "\(machine)\n\(pid)\n\(started)\n\(id)"
            var bytes = Array((RunningHash.digest(of: Bytes(source.utf8), .sha256) ?? Bytes()).prefix(16))
            guard bytes.count == 16 else { return source }
            bytes[6] = bytes[6] & 0x0f | 0x80
            bytes[8] = bytes[8] & 0x3f | 0x80
            return CallID(bytes: bytes)?.description ?? source
        }
    }
}
