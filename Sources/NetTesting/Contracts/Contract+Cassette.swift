public import NetCore
package import NetRecord

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Contract {
    /// Writes a recording for a ``ReplayTransport``: an example exchange for each use of each expectation.
    ///
    /// The request has the values that the rules require, an ``Expectation/example`` or the parameter's name for a path
    /// parameter, the ``wildcard`` if any value is accepted, and otherwise as little as the rules allow. Throws
    /// `.decoding` if the existing file isn't a recording.
    ///
    /// - Parameters:
    ///   - path: The path of the cassette; a HAR file if the name ends in `.har`.
    ///   - baseURL: The base URL of the requests.
    ///   - date: The recorded time of the requests. Default the beginning of 1970, so that the file changes only with
    ///     the contract.
    public func writeCassette(
        to path: String, baseURL: BaseURL, date: Date = Date(timeIntervalSince1970: 0)
    ) throws(NetError) {
        do { try cassette(baseURL: baseURL, date: date).write(to: path) } catch { throw NetError(error) }
    }

    package func cassette(baseURL: BaseURL, date: Date) -> Cassette {
        Cassette(
            expectations.flatMap { expectation in
                let exchange = CapturedExchange(
                    recordedAt: date, duration: .zero,
                    request: ExampleRequest(expectation: expectation, wildcard: wildcard).request(to: baseURL),
                    outcome: expectation.outcome.recorded)
                return Array(repeating: exchange, count: max(0, expectation.times))
            })
    }
}

extension Contract.Outcome {
    fileprivate var recorded: CapturedExchange.Outcome {
        switch self {
        case .failure(let failure): .failure(.init(code: failure.code.rawValue, message: failure.message))
        case .response(let response):
            .response(
                .init(
                    status: response.status, version: "1.1", headers: response.headers,
                    body: CapturedBody(response.body))
            )
        }
    }
}
