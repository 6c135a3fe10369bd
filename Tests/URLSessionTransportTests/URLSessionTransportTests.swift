#if Server
import NetCore
import NetTesting
import Testing

/// What every transport does, seen on URLSession.
@Suite(.timeLimit(.minutes(3))) struct URLSessionTransportTests {
    private static let subject = {
        var subject = TransportSubject(make: { pem in
            var configuration = URLSessionTransport.Configuration()
            if let pem { configuration.trust = .certificates(pem: pem) }
            return URLSessionTransport(configuration: configuration)
        })
        subject.lacks = [.fieldsInOrder, .codedContent, .bodiesOfGet, .trailers]
        #if os(Linux)
        subject.lacks += [
            .knownLengths, .challenges, .versions, .trusted, .untrusted, .lostBeforeTheHead, .lostInTheBody, .notHTTP,
            .sleepingReaders,
        ]
        #endif
        return subject
    }()

    @Test(arguments: subject.rules) func urlSessionKeepsTheRules(rule: TransportRule) async throws {
        try await rule.check(Self.subject)
    }

    /// docs/transports.md names them: a rule that is kept now is a line to take out there. Trailers are left out: they end
    /// the process on Linux.
    @Test(arguments: subject.lacks.filter { $0.name != TransportRule.trailers.name }) func whatItLacksItStillLacks(
        rule: TransportRule
    ) async throws {
        await withKnownIssue("docs/transports.md") { try await rule.check(Self.subject) }
    }
}
#endif
