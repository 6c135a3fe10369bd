internal import NetCore
package import NetRecord

/// The redacted calls of a file, one by one.
protocol RecordedCalls {
    /// Returns the next call; nil after the last one.
    mutating func next() throws(RecordFileError) -> RecordedCall?

    /// The parts that were skipped so far, and the values that were guessed.
    var remarks: HARRemarks { get }
}

/// The calls of a cassette. Their IDs are derived from their dates and places.
struct CassetteCalls: RecordedCalls {
    private let exchanges: [CapturedExchange]
    private var index = 0
    let remarks: HARRemarks

    init(_ cassette: Cassette) {
        exchanges = cassette.exchanges
        remarks = cassette.remarks
    }

    mutating func next() throws(RecordFileError) -> RecordedCall? {
        guard index < exchanges.count else { return nil }
        let exchange = exchanges[index]
        index += 1
        let number = UInt64(truncatingIfNeeded: index)
        let id = CallID(date: exchange.recordedAt, random: NetRandom { number &* 0x9e37_79b9_7f4a_7c15 })
        return RecordedCall(RedactionPolicy.safeDefault.redact(exchange), uid: id)
    }
}

extension ActivityStore {
    /// Adds the exchanges of a cassette, as ``importHAR(at:pins:isStrict:maximumBytes:)`` adds the entries of a HAR file.
    @discardableResult
    package func importCassette(at path: String) async throws(StoreError) -> HARImport {
        try await writer.perform { desk throws(StoreError) in
            guard let writer = desk.writer else { throw StoreError.closed(desk.connection.path) }
            let cassette = try StoreError.reading { () throws(RecordFileError) in try Cassette.read(from: path) }
            return try writer.add(
                CassetteCalls(cassette), entries: cassette.exchanges.count,
                by: HARProducer(name: "swift-net", version: String(Cassette.version)), pins: true)
        }
    }
}

extension RecordedCall {
    /// Returns the redacted calls of a cassette, in the order of the file.
    package static func all(ofCassette path: String) throws(RecordFileError) -> [RecordedCall] {
        var calls = CassetteCalls(try Cassette.read(from: path))
        var all: [RecordedCall] = []
        while let call = try calls.next() { all.append(call) }
        return all
    }
}
