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
    /// The request has the values that the rules ask for, an ``Expectation/example`` or its name for a path parameter,
    /// the ``wildcard`` where any value will do, and as little else as the rules allow. Throws `.decoding` where a file
    /// is there that is no recording.
    ///
    /// - Parameters:
    ///   - path: The cassette, or a HAR file where the name ends in `.har`.
    ///   - baseURL: The address that the requests go to.
    ///   - date: When they were sent. Default the beginning of 1970, so that the file changes only with the contract.
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
