#if Server
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import Synchronization
import Testing

extension TransportRule {
    static let responses = [
        statuses, heads, bodiless, redirects, challenges, repeatedAnswers, cookiesApart, wholeBodies, streamedBodies,
        firstChunks, sizeLimits, trailers, figures, progress, versions, reuse, sleepingReaders,
    ]

    static let statuses = TransportRule("every status is handed out") { subject in
        try await subject.run([
            Stub(nil, "/{code}") { .text("text", status: .init(code: Int($0.parameters["code"] ?? "") ?? 0)) }
        ]) { world in
            for code in [200, 201, 202, 206, 299, 400, 403, 404, 409, 410, 418, 422, 429, 451, 500, 502, 503, 599] {
                let response = try await world.send("/\(code)")
                #expect(response.status.code == code)
                #expect(try await response.body.collect(upTo: 10) == Bytes("text".utf8))
            }
        }
    }

    static let heads = TransportRule("an answer to HEAD has fields and no body") { subject in
        try await subject.run([Stub(nil, "/x", .text("seven b").header(.eTag, "\"v1\""))]) { world in
            for delivery in [BodyDelivery.streamed, .collected(upTo: 10)] {
                let response = try await world.send("/x", .head, delivery: delivery)
                #expect(response.status == .ok)
                #expect(response.head[.eTag] == "\"v1\"")
                #expect(response.head[.contentLength] == "7")
                #expect(try await response.body.collect(upTo: 10).isEmpty)
            }
        }
    }

    static let bodiless = TransportRule("204 and 304 have no body, and the connection goes on") { subject in
        let stubs = [
            Stub(nil, "/204", .status(.noContent)), Stub(nil, "/304", .status(.notModified).header(.eTag, "\"a\"")),
            Stub(nil, "/ok", .text("ok")),
        ]
        try await subject.run(stubs) { world in
            for code in [204, 304] {
                let response = try await world.send("/\(code)")
                #expect(response.status.code == code)
                #expect(try await response.body.collect(upTo: 10).isEmpty)
                #expect(try await world.send("/ok").body.collect(upTo: 10) == Bytes("ok".utf8))
            }
        }
    }

    static let redirects = TransportRule("a redirect is handed out, not followed") { subject in
        let stub = Stub(nil, "/{code}") { request in
            .text("moved", status: .init(code: Int(request.parameters["code"] ?? "") ?? 0))
                .header(.location, "/elsewhere")
        }
        try await subject.run([stub]) { world in
            for code in [301, 302, 303, 307, 308] {
                for (method, body) in [(HTTPRequest.Method.get, RequestBody.none), (.post, .text("body"))] {
                    let response = try await world.send("/\(code)", method, body: body)
                    #expect(response.status.code == code)
                    #expect(response.head[.location] == "/elsewhere")
                    #expect(try await response.body.collect(upTo: 10) == Bytes("moved".utf8))
                    #expect(world.lastRequest?.target == "/\(code)")
                }
            }
        }
    }

    static let challenges = TransportRule("a 401 is handed out, not answered") { subject in
        let stub = Stub(nil, "*", .text("who?", status: .unauthorized).header(.wwwAuthenticate, "Basic realm=\"x\""))
        try await subject.run([stub]) { world in
            for (method, body) in [(HTTPRequest.Method.get, RequestBody.none), (.post, .text("body"))] {
                let response = try await world.send("/", method, body: body, timeouts: Timeouts(stall: .seconds(2)))
                #expect(response.status == .unauthorized)
                #expect(response.head[.wwwAuthenticate] == "Basic realm=\"x\"")
                #expect(try await response.body.collect(upTo: 10) == Bytes("who?".utf8))
            }
            #expect(world.peer.journal.requests.count == 2)
        }
    }

    static let repeatedAnswers = TransportRule("every value of a repeated field is handed out") { subject in
        var response = StubResponse.text("ok")
        let name = HTTPField.Name("X-Many")
        for value in ["a", "b, c", "d"] { response.headers.append(HTTPField(name: name, value: value)) }
        try await subject.run([Stub(nil, "*", response)]) { world in
            let head = try await world.send("/").head
            #expect(head[name] == "a, b, c, d")
        }
    }

    static let cookiesApart = TransportRule("several Set-Cookie stay apart") { subject in
        var response = StubResponse.text("ok")
        let cookies = ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=2", "c=\"x, y\"; Secure"]
        for value in cookies { response.headers.append(HTTPField(name: .setCookie, value: value)) }
        try await subject.run([Stub(nil, "*", response)]) { world in
            let head = try await world.send("/").head
            #expect(head.headers[values: .setCookie] == cookies)
        }
    }

    static let wholeBodies = TransportRule("a large body is handed out whole") { subject in
        try await subject.run([.pattern(), .pattern("/chunked", isChunked: true)]) { world in
            for path in ["/bytes", "/chunked"] {
                let response = try await world.send("\(path)?bytes=1000001")
                let bytes = try #require(response.body.whole)
                #expect(bytes.count == 1_000_001)
                #expect(BytePattern.matches(bytes, at: 0))
            }
            #expect(try await world.send("/bytes?bytes=0").body.whole?.isEmpty == true)
        }
    }

    static let streamedBodies = TransportRule("a streamed body comes in pieces that make the whole") { subject in
        try await subject.run([.pattern()]) { world in
            let response = try await world.send("/bytes?bytes=4000001", delivery: .streamed)
            var offset: Int64 = 0
            for try await chunk in response.body {
                #expect(!chunk.isEmpty)
                #expect(BytePattern.matches(chunk, at: offset))
                offset += Int64(chunk.count)
            }
            #expect(offset == 4_000_001)
        }
    }

    static let firstChunks = TransportRule("a streamed body is there before its end") { subject in
        let body = StubResponse.chunks([StubChunk("first"), StubChunk("last", after: .seconds(600))])
        try await subject.run([Stub(.get, "/s", body)]) { world in
            let response = try await world.send("/s", delivery: .streamed, timeouts: Timeouts(stall: nil))
            var iterator = response.body.makeAsyncIterator()
            let first = try await iterator.next()
            #expect(first == Bytes("first".utf8))
            response.body.cancel()
        }
    }

    static let sizeLimits = TransportRule("a collected body keeps its limit") { subject in
        try await subject.run([.pattern()]) { world in
            let error = await world.failure("/bytes?bytes=1000", delivery: .collected(upTo: 999))
            #expect(error?.code == .bodyTooLarge)
            let exact = try await world.send("/bytes?bytes=1000", delivery: .collected(upTo: 1000))
            #expect(exact.body.whole?.count == 1000)
        }
    }

    static let trailers = TransportRule("trailers come with the end of the body") { subject in
        let name = HTTPField.Name("X-Check")
        let response = StubResponse(body: .chunks(["a", "b"]), trailers: [name: "42"])
        try await subject.run([Stub(.get, "/t", response)]) { world in
            let streamed = try await world.send("/t", delivery: .streamed)
            #expect(try await streamed.body.collect(upTo: 10) == Bytes("ab".utf8))
            #expect(streamed.body.trailers?[name] == "42")
        }
    }

    static let figures = TransportRule("the figures of a transfer count its bytes") { subject in
        try await subject.run([.mirror()]) { world in
            for delivery in [BodyDelivery.streamed, .collected(upTo: 100)] {
                let response = try await world.send("/mirror", .post, body: .text("twelve bytes"), delivery: delivery)
                _ = try await response.body.collect(upTo: 100)
                let metrics = try #require(response.body.metrics)
                #expect(metrics.requestBytes == 12)
                #expect(metrics.responseBytes == 12)
            }
        }
    }

    static let progress = TransportRule("an observer hears of both bodies, and of their ends", needsSockets: true) {
        subject in
        try await subject.run([.mirror()]) { world in
            let reports = Mutex<[TransferProgress]>([])
            var options = RequestOptions()
            options.progress = ProgressObserver(every: .zero) { report in reports.withLock { $0.append(report) } }
            let body = RequestBody.bytes(BytePattern.bytes(from: 0, count: 300_000))
            _ = try await world.send("/mirror", .post, body: body, options: options)
            for kind in [TransferProgress.Kind.upload, .download] {
                let counts = reports.withLock { $0.filter { $0.kind == kind }.map(\.completed) }
                #expect(counts.first == 0, "\(counts)")
                #expect(counts.last == 300_000, "\(counts)")
                #expect(counts == counts.sorted())
            }
        }
    }

    static let versions = TransportRule("a response names its HTTP version", needsSockets: true) { subject in
        try await subject.run([Stub(nil, "*", .text("ok"))]) { world in
            let head = try await world.send("/").head
            #expect(head.version == "1.1")
        }
    }

    static let reuse = TransportRule("calls one after the other share a connection", needsSockets: true) { subject in
        try await subject.run([Stub(nil, "*", .text("ok"))]) { world in
            for _ in 0..<10 { _ = try await world.send("/") }
            #expect(world.server?.statistics.connections == 1)
        }
    }

    static let sleepingReaders = TransportRule("a reader that sleeps holds the server back", needsSockets: true) {
        subject in
        try await subject.run([.pattern()]) { world in
            let response = try await world.send("/bytes?bytes=\(256 << 20)", delivery: .streamed)
            var iterator = response.body.makeAsyncIterator()
            _ = try await iterator.next()
            // Waits until the server has written nothing for a while: then the consumer is holding it back.
            var last: Int64 = -1
            while let now = world.server?.statistics.bytesWritten, now != last {
                last = now
                try await Task.sleep(for: .milliseconds(300))
            }
            #expect(last < 64 << 20, "accepted \(last >> 20) MB ahead of a reader that sleeps")
            response.body.cancel()
        }
    }
}
#endif
