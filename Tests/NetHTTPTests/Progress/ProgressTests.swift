#if os(Linux) && Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The reported progress of bodies, over real connections.
@Suite(.timeLimit(.minutes(1))) struct ProgressTests {
    private static let size = 3_000_000

    private func observed(_ log: Locked<[TransferProgress]>, every interval: Duration = .zero) -> ProgressObserver {
        ProgressObserver(every: interval) { progress in log.change { $0.append(progress) } }
    }

    private func download(known: Bool = true) -> Stub {
        let bytes = BytePattern.bytes(from: 0, count: Self.size)
        return known
            ? Stub(.get, "/film", .bytes(bytes))
            : Stub(.get, "/film", StubResponse(body: .chunks([StubChunk(bytes)])))
    }

    private func expectOrder(_ reports: [TransferProgress], to size: Int, known: Bool = true) {
        #expect(reports.first?.completed == 0)
        #expect(reports.last?.completed == Int64(size))
        #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.completed < $1.completed })
        #expect(reports.allSatisfy { $0.total == (known ? Int64(size) : nil) })
        #expect(reports.count { $0.fraction == 1 } == (known ? 1 : 0))
    }

    @Test(arguments: Wire.allCases, [true, false])
    func aDownloadIsToldByteForByte(wire: Wire, isLengthKnown: Bool) async throws {
        try await Fixture.run([download(known: isLengthKnown)], over: wire) { fixture in
            for isStreamed in [false, true] {
                let log = Locked<[TransferProgress]>([])
                var request = Request<Bytes>("film", serializer: .bytes)
                request.options.progress = observed(log)
                var count = 0
                if isStreamed {
                    for try await chunk in try await fixture.client.stream(request).body { count += chunk.count }
                } else {
                    count = try await fixture.client.send(request).count
                }
                #expect(count == Self.size)
                let reports = log.value
                #expect(reports.allSatisfy { $0.kind == .download && $0.attempt == 1 })
                #expect(!reports.isEmpty)
                expectOrder(reports, to: Self.size, known: isLengthKnown)
            }
        }
    }

    @Test(arguments: Wire.allCases, ["bytes", "stream", "unknown"])
    func anUploadIsToldByteForByte(wire: Wire, form: String) async throws {
        let bytes = BytePattern.bytes(from: 0, count: Self.size)
        let chunks = AsyncStream<Bytes> { continuation in
            for start in stride(from: 0, to: Self.size, by: 100_000) {
                continuation.yield(bytes[start..<(start + 100_000)])
            }
            continuation.finish()
        }
        let body: RequestBody =
            switch form {
            case "bytes": .bytes(bytes)
            case "stream": .stream(chunks, length: Int64(Self.size))
            default: .stream(chunks)
            }
        let sink = Stub.streaming(.post, "/sink") { _, body in
            for try await _ in body {}
            return .text("done")
        }
        try await Fixture.run([sink], over: wire) { fixture in
            let log = Locked<[TransferProgress]>([])
            let request = Request<String>("sink", method: .post, body: body, serializer: .string)
            try await fixture.client.send(request, progressEvery: .zero) { progress in
                log.change { $0.append(progress) }
            }
            let uploads = log.value.filter { $0.kind == .upload }
            #expect(uploads.count > 3)
            expectOrder(uploads, to: Self.size, known: form != "unknown")
            #expect(log.value.filter { $0.kind == .download }.map(\.completed) == [0, 4])
        }
    }

    /// Half a megabyte per second: the socket accepts the bytes that the server reads, and no more in advance than its
    /// buffers hold.
    @Test func anUploadIsToldAsTheSocketTakesIt() async throws {
        let gate = Locked(false)
        let slow = Stub.streaming(.post, "/slow") { _, body in
            while !gate.value { try await Task.sleep(for: .milliseconds(2)) }
            for try await _ in body {}
            return .text("done")
        }
        try await Fixture.run([slow]) { fixture in
            let log = Locked<[TransferProgress]>([])
            let size = 64 << 20
            var request = Request<String>(
                "slow", method: .post, body: .bytes(BytePattern.bytes(from: 0, count: size)), serializer: .string)
            request.options.progress = observed(log)
            async let answer = fixture.client.send(request)
            var last: Int64 = -1
            while log.value.last?.completed != last || last <= 0 {
                last = log.value.last?.completed ?? -1
                try await Task.sleep(for: .milliseconds(200))
            }
            #expect(last < 32 << 20, "\(last) bytes were told as sent to a server that does not read")
            gate.change { $0 = true }
            #expect(try await answer == "done")
            expectOrder(log.value.filter { $0.kind == .upload }, to: size)
        }
    }

    @Test func theClocksIntervalIsBetweenTwoReports() async throws {
        let clock = TestClock()
        try await Fixture.run([download()], with: .client { $0.clock = clock.netClock }) { fixture in
            let log = Locked<[TransferProgress]>([])
            var request = Request<Bytes>("film", serializer: .bytes)
            request.options.progress = observed(log, every: .milliseconds(100))
            try await fixture.client.send(request)
            // No time passes, so only the beginning and the end are reported.
            #expect(log.value.map(\.completed) == [0, Int64(Self.size)])
        }
    }

    @Test func eachAttemptCountsFromZero() async throws {
        let cut = Stub(
            .get, "/film",
            StubResponse.bytes(BytePattern.bytes(from: 0, count: 100_000)).dropping(.afterBodyBytes(60_000)))
        let retry = RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))
        try await Fixture.run([cut.times(1), download()], with: .client { $0.middleware = [retry] }) { fixture in
            let log = Locked<[TransferProgress]>([])
            var request = Request<Bytes>("film", serializer: .bytes)
            request.options.progress = observed(log)
            try await fixture.client.send(request)
            let first = log.value.prefix { $0.attempt == 1 }
            let second = log.value.dropFirst(first.count)
            #expect(first.first?.completed == 0)
            #expect(first.allSatisfy { ($0.fraction ?? 0) < 1 && $0.total == 100_000 })
            #expect(second.allSatisfy { $0.attempt == 2 })
            expectOrder(Array(second), to: Self.size)
        }
    }

    @Test(arguments: [false, true]) func ofARedirectOnlyTheRequestIsTold(isStreamed: Bool) async throws {
        let moved = StubResponse.text("moved", status: .temporaryRedirect).header(.location, "/there")
        let stubs = [Stub(.post, "/here", moved), Stub(.post, "/there", .text("here it is"))]
        try await Fixture.run(stubs) { fixture in
            let log = Locked<[TransferProgress]>([])
            var request = Request<Bytes>("here", method: .post, body: .text("abc"), serializer: .bytes)
            request.options.progress = observed(log)
            if isStreamed {
                for try await _ in try await fixture.client.stream(request).body {}
            } else {
                try await fixture.client.send(request)
            }
            #expect(log.value.filter { $0.kind == .upload }.map(\.completed) == [0, 3, 0, 3])
            #expect(log.value.filter { $0.kind == .download }.map(\.completed) == [0, 10])
        }
    }

    @Test func aCancelledBodyIsToldNoFurther() async throws {
        let endless = Stub(
            .get, "/film", StubResponse.bytes(BytePattern.bytes(from: 0, count: 8 << 20)).throttled(to: 4 << 20))
        try await Fixture.run([endless]) { fixture in
            let log = Locked<[TransferProgress]>([])
            var request = Request<Bytes>("film", serializer: .bytes)
            request.options.progress = observed(log)
            let response = try await fixture.client.stream(request)
            var iterator = response.body.makeAsyncIterator()
            _ = try await iterator.next()
            response.body.cancel()
            try await fixture.server.wait { requests, _ in requests.last?.outcome == .clientWentAway }
            let count = log.value.count
            #expect(log.value.allSatisfy { ($0.fraction ?? 0) < 1 })
            try await Task.sleep(for: .milliseconds(300))
            #expect(log.value.count == count)
        }
    }

    @Test func emptyResponsesReportProgressAtMostOnce() async throws {
        try await Fixture.run([Stub(.get, "/none", .status(.noContent)), Stub(.head, "/none", .status(.ok))]) {
            fixture in
            let log = Locked<[TransferProgress]>([])
            var request = Request<Void>("none", serializer: .discard)
            request.options.progress = observed(log)
            try await fixture.client.send(request)
            #expect(log.value.map(\.completed) == [0])
            #expect(log.value.first?.fraction == nil)
            request.method = .head
            try await fixture.client.send(request)
            #expect(log.value.count == 1)
        }
    }
}
#endif
