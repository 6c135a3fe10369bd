#if Server
internal import HTTPTypes
public import NetCore
internal import NetRecord
public import NetTesting

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension OpenAPIValidator {
    /// The errors in one exchange of a recording or a contract.
    public struct RecordedFindings: Sendable, CustomStringConvertible {
        /// The expectation's ID, or the number of the exchange, from 1.
        public let id: String
        /// The errors.
        public let findings: [OpenAPIFinding]

        /// The ID, and each finding on a separate line.
        public var description: String { "\(id):" + findings.map { "\n  \($0)" }.joined() }
    }

    /// Checks the exchanges of a recording, either a cassette or a HAR file, and returns those with errors.
    ///
    /// Redacted values (``RedactionPolicy/placeholder``) don't count as errors. Bodies that were recorded only in part,
    /// failures without a response, and WebSockets aren't checked.
    ///
    /// - Throws: `.decoding` for a file that can't be read.
    public func findings(inCassette path: String) throws(NetError) -> [RecordedFindings] {
        let cassette: Cassette
        do { cassette = try Cassette.read(from: path) } catch {
            throw NetError(.decoding, phase: .preparing, message: "\(error)")
        }
        return findings(in: cassette.exchanges, wildcard: RedactionPolicy.safeDefault.placeholder) { "\($0 + 1)" }
    }

    /// Checks a contract: an example request of each expectation, and its response. Returns the expectations with
    /// errors.
    ///
    /// The contract's wildcard and failures don't count as errors. A body rule without a specific body (`.present`,
    /// `.paths`, `.code`) has no example, so the body isn't checked.
    ///
    /// - Parameters:
    ///   - contract: The contract.
    ///   - baseURL: The base URL of the contract's paths, for contracts whose paths omit the document's base path.
    ///     Default nil: the paths are complete.
    public func findings(in contract: Contract, baseURL: BaseURL? = nil) -> [RecordedFindings] {
        let base = baseURL ?? "http://localhost"
        var once = contract
        for index in once.expectations.indices { once.expectations[index].times = 1 }
        let exchanges = once.cassette(baseURL: base, date: .init(timeIntervalSince1970: 0)).exchanges
        var found: [RecordedFindings] = []
        for (exchange, expectation) in zip(exchanges, contract.expectations) where expectation.path != nil {
            found += findings(in: [exchange], wildcard: contract.wildcard, isBodyOpen: expectation.body.isOpen) { _ in
                expectation.id
            }
        }
        return found
    }

    private func findings(
        in exchanges: [CapturedExchange], wildcard: String, isBodyOpen: Bool = false, id: (Int) -> String
    ) -> [RecordedFindings] {
        exchanges.enumerated().compactMap { index, exchange in
            if exchange.isHandshake { return nil }
            let recorded = exchange.request
            let request = StubRequest(
                method: recorded.method, target: Self.target(recorded.url), headers: recorded.headers,
                body: recorded.body.bytes)
            let isPartial = isBodyOpen || recorded.body.isCut || recorded.body.failure != nil
            var found = findings(in: request).filter { finding in
                !(isPartial && [.requestBody, .requestType].contains(finding.kind))
            }
            if case .response(let response) = exchange.outcome {
                let isPartial = response.body.isCut || response.body.failure != nil
                found += findings(
                    in: response.status, headers: response.headers, body: response.body.bytes, to: request
                )
                .filter { !(isPartial && $0.kind == .responseBody) }
            }
            // A redacted value could have been anything.
            found.removeAll { $0.message.contains(wildcard) || $0.message.contains(Self.hidden) }
            return found.isEmpty ? nil : RecordedFindings(id: id(index), findings: found)
        }
    }

    /// The phrase that replaces a secret in a message.
    private static let hidden = "which is not shown"

    /// The target of a URL: its path and query.
    private static func target(_ url: String) -> String {
        let whole = url.prefix { $0 != "#" }
        let request = StubRequest(method: .get, target: String(whole))
        return request.query.map { "\(request.path)?\($0)" } ?? request.path
    }
}

extension Contract.BodyRule {
    /// True for a rule that allows a body without defining its content.
    fileprivate var isOpen: Bool {
        switch self {
        case .anything, .present, .paths, .code: true
        case .all(let rules): rules.allSatisfy(\.isOpen)
        case .absent, .text, .bytes, .json, .form, .multipart: false
        }
    }
}
#endif
