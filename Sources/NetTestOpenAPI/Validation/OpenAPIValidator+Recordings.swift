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
    /// What is wrong with an exchange of a recording or a contract.
    public struct RecordedFindings: Sendable, CustomStringConvertible {
        /// Which: an expectation's id, or the number of an exchange, from 1.
        public let id: String
        /// What is wrong with it.
        public let findings: [OpenAPIFinding]

        /// The id, and each finding on a line.
        public var description: String { "\(id):" + findings.map { "\n  \($0)" }.joined() }
    }

    /// What is wrong with the exchanges of a recording, a cassette or a HAR file; those without a fault are left out.
    ///
    /// What a redaction has hidden (``RedactionPolicy/placeholder``) is no fault. A body of which only a part was recorded
    /// is not checked, nor is a failure without a response, or a WebSocket.
    ///
    /// - Throws: `.decoding` for a file that cannot be read.
    public func findings(inCassette path: String) throws(NetError) -> [RecordedFindings] {
        let cassette: Cassette
        do { cassette = try Cassette.read(from: path) } catch {
            throw NetError(.decoding, phase: .preparing, message: "\(error)")
        }
        return findings(in: cassette.exchanges, wildcard: RedactionPolicy.safeDefault.placeholder) { "\($0 + 1)" }
    }

    /// What is wrong with a contract: with an example request of each expectation, and with its response. Expectations
    /// without a fault are left out.
    ///
    /// The contract's wildcard is no fault, nor is a failure. A body that a rule leaves open (`.present`, `.paths`, `.code`)
    /// has no example and is not checked.
    ///
    /// - Parameters:
    ///   - contract: The contract.
    ///   - baseURL: Where the contract's paths begin, for contracts whose paths leave out the document's base path.
    ///     Default nil: the paths are whole.
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
            // A value that was hidden may have been anything.
            found.removeAll { $0.message.contains(wildcard) || $0.message.contains(Self.hidden) }
            return found.isEmpty ? nil : RecordedFindings(id: id(index), findings: found)
        }
    }

    /// What stands for a secret in a message.
    private static let hidden = "which is not shown"

    /// The target of a URL: its path and query.
    private static func target(_ url: String) -> String {
        let whole = url.prefix { $0 != "#" }
        let request = StubRequest(method: .get, target: String(whole))
        return request.query.map { "\(request.path)?\($0)" } ?? request.path
    }
}

extension Contract.BodyRule {
    /// Whether it asks for a body without saying what is in it.
    fileprivate var isOpen: Bool {
        switch self {
        case .anything, .present, .paths, .code: true
        case .all(let rules): rules.allSatisfy(\.isOpen)
        case .absent, .text, .bytes, .json, .form, .multipart: false
        }
    }
}
#endif
