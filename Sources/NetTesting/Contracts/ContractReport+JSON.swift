public import NetCore
internal import NetRecord

extension ContractReport {
    /// The report as JSON, with sorted keys, times in RFC 3339 format, and one member per line.
    public var json: String {
        var members: [String: JSONValue] = [
            "contract": .string(name), "passed": .bool(passed), "forgotten": .integer(Int64(forgotten)),
            "expectations": .array(expectations.map { .string($0) }),
            "matches": .array(
                matches.map { match in
                    [
                        "expectation": .string(match.expectation), "request": .string(match.request),
                        "at": .string(RFC3339.format(match.date)),
                    ]
                }),
        ]
        members["violations"] = .array(violations.indices.map(violation))
        members["startedAt"] = startedAt.map { .string(RFC3339.format($0)) }
        return RecordFile.text(.object(members))
    }

    private func violation(_ index: Int) -> JSONValue {
        let violation = violations[index]
        var members: [String: JSONValue] = [
            "kind": .string(violation.kind.rawValue),
            "differences": .array(
                violation.differences.map { difference in
                    [
                        "field": .string(difference.field), "expected": .string(difference.expected),
                        "actual": .string(difference.actual),
                    ]
                }),
        ]
        members["expectation"] = violation.expectation.map { .string($0) }
        members["request"] = violation.request.map { .string($0) }
        if dates.indices.contains(index) { members["at"] = .string(RFC3339.format(dates[index])) }
        return .object(members)
    }

    /// Writes the report atomically: JUnit XML if the name ends in `.xml`, otherwise JSON.
    ///
    /// Replaces an existing file. Throws `.decoding` if the file can't be written.
    public func write(to path: String) throws(NetError) {
        do {
            try RecordFile(path).write(path.lowercased().hasSuffix(".xml") ? junit : json)
        } catch {
            throw NetError(error)
        }
    }
}
