internal import HTTPTypes
internal import NetCore

/// Compares a request with an expectation, field by field.
struct RequestComparison: Sendable {
    /// More differences than this add no information.
    private static let maximumDifferences = 50

    let expectation: Contract.Expectation
    let wildcard: String
    let isStrict: Bool
    let text: ContractText

    /// The differences; empty for a match. Metadata isn't checked if it is nil.
    func differences(_ request: StubRequest, _ metadata: RequestMetadata?) -> [ContractDifference] {
        var found = route(request) + query(request) + headers(request)
        if let metadata { found += differences(metadata) }
        return Array((found + body.differences(request)).prefix(Self.maximumDifferences))
    }

    var body: BodyComparison {
        BodyComparison(rule: expectation.body, wildcard: wildcard, isStrict: isStrict, text: text)
    }

    private func route(_ request: StubRequest) -> [ContractDifference] {
        var found: [ContractDifference] = []
        if let method = expectation.method, method != request.method {
            found.append(
                ContractDifference("method", expected: method.rawValue, actual: text.shown(request.method.rawValue)))
        }
        if let path = expectation.path, path.match(request.path) == nil {
            found.append(
                ContractDifference("path", expected: path.description, actual: text.shown(request.path)))
        }
        return found
    }

    func query(_ request: StubRequest) -> [ContractDifference] {
        ItemComparison(prefix: "query", wildcard: wildcard, isStrict: isStrict, text: text)
            .differences(request.queryItems.map { ($0.name, $0.value ?? "") }, expectation.query)
    }

    func headers(_ request: StubRequest) -> [ContractDifference] {
        let comparison = ItemComparison(prefix: "header", wildcard: wildcard, isStrict: false, text: text)
        var found = expectation.headers.sorted { $0.key.canonicalName < $1.key.canonicalName }.compactMap {
            comparison.difference($0.key.rawName, request.headers[values: $0.key], $0.value)
        }
        if isStrict {
            let known = Contract.automaticHeaders.union(expectation.headers.keys)
            let unexpected = Set(request.headers.map(\.name)).subtracting(known)
            for name in unexpected.sorted(by: { $0.canonicalName < $1.canonicalName }) {
                let values = text.values(request.headers[values: name], name: name.rawName)
                found.append(ContractDifference("header.\(name.rawName)", expected: "absent", actual: values))
            }
        }
        return found
    }

    private func differences(_ metadata: RequestMetadata) -> [ContractDifference] {
        let asked = expectation.metadata
        var found: [ContractDifference] = []
        for (field, expected, actual) in [
            ("name", asked.name, metadata.name), ("operationID", asked.operationID, metadata.operationID),
        ] {
            if let expected, expected != actual {
                found.append(
                    ContractDifference(
                        "metadata.\(field)", expected: "\"\(expected)\"", actual: actual.map { "\"\($0)\"" } ?? "absent"
                    ))
            }
        }
        let missing = asked.tags.filter { !metadata.tags.contains($0) }
        if !missing.isEmpty {
            found.append(
                ContractDifference(
                    "metadata.tags", expected: asked.tags.joined(separator: ", "),
                    actual: metadata.tags.isEmpty ? "absent" : metadata.tags.joined(separator: ", ")))
        }
        return found
    }

    /// The distance of the request from the expectation: smaller is nearer.
    func distance(_ request: StubRequest, _ differences: [ContractDifference]) -> Double {
        differences.reduce(0) { sum, difference in
            switch difference.field {
            case "path": sum + 8 * (1 - (expectation.path?.likeness(to: request.path) ?? 1))
            case "method": sum + 3
            default: sum + 1
            }
        }
    }
}
