#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

/// The fallback if an alternative doesn't work.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Nginx.program.path != nil && Certificates.program.path != nil))
struct AltSvcFallbackTests {
    @Test func whenItIsGoneTheOriginAnswersInTheSameCall() async throws {
        try await AltSvcSite.with { site in
            try await site.get(naming: site.field(age: 6000))
            #expect(try await site.get() == site.byAlternative)
        } after: { site in
            let (answer, attempts) = try await site.trying(site.request(naming: site.field(age: 6000)))
            #expect(answer == site.byOrigin)
            #expect(attempts == 2)
            #expect(site.pause == 300)
            // It isn't tried again before its time, although the origin still advertises it.
            await site.clock.advance(by: .seconds(299))
            #expect(try await site.trying(site.request()).attempts == 1)
            await site.clock.advance(by: .seconds(1))
            #expect(try await site.trying(site.request()).attempts == 2)
            #expect(site.pause == 600)
        }
    }

    @Test(arguments: [true, false]) func unsentPostRequestsFallBackToTheOrigin(isStream: Bool) async throws {
        try await AltSvcSite.with { _ in
        } after: { site in
            try await site.get(naming: site.field())
            var post = site.request()
            post.method = .post
            post.body = isStream ? .stream(ChunkSequence(), isReplayable: true) : .text("x")
            #expect(try await site.client.send(post) == site.byOrigin)
            #expect(site.pause == 300)
            site.store.withList { $0.networkChanged() }
            try await site.get(naming: site.field())
            let stream = try await site.client.stream(post)
            #expect(String(decoding: try await stream.body.collect(upTo: 1000), as: UTF8.self) == site.byOrigin)
        }
    }

    @Test func theErrorNamesBothPlaces() async throws {
        let log = EventLog()
        try await AltSvcSite.with { _ in
        } after: { site in
            try await site.get(naming: site.field())
            _ = try await site.client(listening: log).send(site.request())
            #expect(log.names == ["started", "attemptEnded", "retrying", "attemptEnded", "completed"])
            let words = "localhost:\(site.origin) at its alternative service localhost:\(site.alternative)"
            #expect(log.errors.count == 1, "\(log.errors)")
            #expect(log.errors.first?.contains(words) == true, "\(log.errors)")
        }
    }

    @Test func aPlaceMayBeAnAddressOfIPv6() async throws {
        try await AltSvcSite.with { site in
            try await site.get(naming: "h2=\"[::1]:1\"")
            let log = EventLog()
            #expect(try await site.client(listening: log).send(site.request()) == site.byOrigin)
            let words = "alternative service [::1]:1: Failed to connect to "
            #expect(log.errors.first?.contains(words) == true, "\(log.errors)")
        }
    }

    @Test func aCertificateOfOthersIsNoAlternative() async throws {
        try await AltSvcSite.with(.init(isOfOthers: true)) { site in
            // Its certificate is valid only for its own name.
            try await site.get(naming: site.field())
            let (answer, attempts) = try await site.trying(site.request())
            #expect(answer == site.byOrigin)
            #expect(attempts == 2)
            #expect(site.pause == 300)
        }
    }

    @Test func pinsAreThoseOfTheOrigin() async throws {
        let pin = try await Certificates.shared.serverPin
        let change: @Sendable (inout CurlTransport.Configuration) -> Void = {
            $0.tls.pins = ["localhost": [pin]]
            $0.tls.trust = .dangerouslyAcceptAnyCertificate
        }
        try await AltSvcSite.with(.init(transport: change)) { site in
            try await site.get(naming: site.field(host: "127.0.0.1"))
            #expect(try await site.get().hasPrefix("\(site.alternative) "))
        }
        try await AltSvcSite.with(.init(isOfOthers: true, transport: change)) { site in
            try await site.get(naming: site.field(host: "127.0.0.1"))
            #expect(try await site.get() == site.byOrigin)
            #expect(site.pause == 300)
        }
    }

    @Test func misdirectedRequestsGoToTheOriginAndTheAlternativeIsForgotten() async throws {
        let locations = "location /wrong { add_header Alt-Svc $http_x_alt always; return 421; }"
        let field = "h2=\":1\""
        try await AltSvcSite.with(.init(locations: locations)) { site in
            try await site.get(naming: site.field())
            var post = site.request("wrong", naming: field)
            (post.method, post.body) = (.post, .text("x"))
            let (answer, attempts) = try await site.trying(post)
            #expect(answer == site.byOrigin)
            #expect(attempts == 2)
            // The origin's header applies.
            #expect(site.store.entries.first?.services.map(\.port) == [1])
            #expect(site.store.entries.first?.services.first?.brokenUntil == nil)
        }
        // The origin's own 421 is returned, and its header is ignored.
        try await AltSvcSite.with(.init(locations: locations)) { site in
            let client = try TransportTry.client("https://localhost:\(site.alternative)", over: site.transport)
            var request = site.request("wrong", naming: field)
            request.options.middleware = [AltSvcMiddleware(site.store)]
            request.options.validation = .any
            #expect(try await client.response(request).status.code == 421)
            #expect(site.store.entries.isEmpty)
        }
    }

    @Test func oneThatIsSilentIsNotWaitedForLong() async throws {
        let silent = try Listener()
        defer { silent.stop() }
        try await AltSvcSite.with(.init(connectTimeout: .milliseconds(100))) { site in
            try await site.get(naming: "h2=\":\(silent.port)\"")
            let (answer, attempts) = try await site.trying(site.request())
            #expect(answer == site.byOrigin)
            #expect(attempts == 2)
            #expect(site.pause == 300)
        }
    }

    @Test func aCancelledCallSaysNothingAgainstIt() async throws {
        let silent = try Listener()
        defer { silent.stop() }
        try await AltSvcSite.with { site in
            try await site.get(naming: "h2=\":\(silent.port)\"")
            let task = Task { try await site.get() }
            while site.transport.statistics.liveTransfers == 0, !Task.isCancelled { await Task.yield() }
            task.cancel()
            let error = try await failure { try await task.value }
            #expect(error.isCancellation, "\(error)")
            #expect(error.attempt == 1, "\(error)")
            #expect(site.pause == nil, "\(error)")
        }
    }

    @Test func theDeadlineOfTheCallStillHolds() async throws {
        let silent = try Listener()
        defer { silent.stop() }
        try await AltSvcSite.with { site in
            try await site.get(naming: "h2=\":\(silent.port)\"")
            var configuration = site.client.configuration
            (configuration.clock, configuration.timeouts.total) = (.system, .seconds(1))
            configuration.middleware = [AltSvcMiddleware(site.store)]
            let field = "h2=\":\(silent.port)\""
            site.store.withList { _ = $0.receive(field, from: "https://localhost:\(site.origin)", now: .distantFuture) }
            let client = HTTPClient(configuration: configuration, transport: site.transport)
            let error = try await failure { try await client.send(site.request()) }
            #expect(error.isTimeout, "\(error)")
            #expect(error.attempt == 1, "\(error)")
            #expect(site.pause != nil)
        }
    }
}

extension AltSvcSite {
    fileprivate func client(listening log: EventLog) -> HTTPClient {
        var configuration = client.configuration
        configuration.listeners = [log]
        return HTTPClient(configuration: configuration, transport: transport)
    }
}

extension EventLog {
    /// The errors of failed attempts.
    fileprivate var errors: [String] {
        all.compactMap { if case .attemptEnded(let attempt) = $0.kind { attempt.error?.message } else { nil } }
    }
}

/// An endless sequence of one chunk.
private struct ChunkSequence: AsyncSequence, Sendable {
    func makeAsyncIterator() -> AsyncStream<Bytes>.Iterator {
        AsyncStream<Bytes> {
            $0.yield(Bytes("x".utf8))
            $0.finish()
        }.makeAsyncIterator()
    }
}
#endif
