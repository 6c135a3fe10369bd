#if Server
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import Testing

extension TransportRule {
    static let endings = [
        cancelled, cancelledBeforehand, cancelledReaders, droppedBodies, refusedPorts, unknownHosts, untrusted, trusted,
        lostBeforeTheHead, lostInTheBody, notHTTP, shutdown,
    ]

    private static let late = Stub(.get, "/late", .text("late").delayed(by: .seconds(600)))

    static let cancelled = TransportRule("a cancelled call ends at once, and the server sees it", needsSockets: true) {
        subject in
        try await subject.run([late]) { world in
            let task = Task { await world.failure("/late") }
            try await world.wait { $0.count == 1 }
            task.cancel()
            #expect(await task.value?.code == .cancelled)
            try await world.wait { $0.last?.outcome == .clientWentAway }
        }
    }

    static let cancelledBeforehand = TransportRule("a task cancelled beforehand sends nothing") { subject in
        try await subject.run([Stub(nil, "*", .text("ok"))]) { world in
            let error = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await world.failure()
            }.value
            #expect(error?.code == .cancelled)
            #expect(world.peer.journal.requests.isEmpty)
        }
    }

    static let cancelledReaders = TransportRule("cancelling a reader ends the transfer", needsSockets: true) {
        subject in
        try await subject.run([.drip(count: 100_000, every: .milliseconds(20))]) { world in
            let task = Task { await world.failure("/drip", delivery: .streamed) }
            try await world.wait { ($0.last?.bytesWritten ?? 0) > 20 }
            task.cancel()
            #expect(await task.value?.code == .cancelled)
            try await world.wait { $0.last?.outcome == .clientWentAway }
        }
    }

    static let droppedBodies = TransportRule("dropping a body ends its transfer", needsSockets: true) { subject in
        try await subject.run([.drip(count: 100_000, every: .milliseconds(20))]) { world in
            let status = try await world.send("/drip", delivery: .streamed).head.status
            #expect(status == .ok)
            try await world.wait { $0.last?.outcome == .clientWentAway }
        }
    }

    static let refusedPorts = TransportRule("a refused connection is .connect", needsSockets: true) { subject in
        let closed = try ClosedPort()
        let error = await elsewhere(subject, closed.baseURL.description).failure("/?token=s3cret")
        #expect(error?.code == .connect)
        #expect(error?.phase == .connecting)
        #expect(error?.elapsed != nil)
        #expect(error?.url?.hasSuffix("token=<redacted>") == true)
        #expect(!String(describing: error).contains("s3cret"))
        withExtendedLifetime(closed) {}
    }

    static let unknownHosts = TransportRule("a name without an address is .dns", needsSockets: true) { subject in
        let error = await elsewhere(subject, "http://no-such-host.invalid").failure()
        #expect(error?.code == .dns)
        #expect(error?.phase == .resolving)
    }

    static let untrusted = TransportRule("an unknown authority is .tls, and nothing is sent", needsSockets: true) {
        subject in
        let server = try await TestServer.start([Stub(nil, "*", .text("ok"))], configuration: .tls())
        let error = await elsewhere(subject, server.baseURL.description).failure()
        #expect(error?.code == .tls, "\(error as Any)")
        #expect(error?.phase == .securing)
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    static let trusted = TransportRule("an authority that was given is trusted", needsSockets: true) { subject in
        try await subject.run([Stub(nil, "*", .text("ok"))], tls: true) { world in
            let head = try await world.send("/").head
            #expect(head.status == .ok)
        }
    }

    static let lostBeforeTheHead = TransportRule("a connection that ends before the answer is lost") { subject in
        try await subject.run([Stub(nil, "*", .dropped())]) { world in
            #expect(await world.failure()?.code == .connectionLost)
        }
    }

    static let lostInTheBody = TransportRule("a connection that ends inside the body is lost") { subject in
        let response = StubResponse.bytes(BytePattern.bytes(from: 0, count: 500_000)).dropping(.afterBodyBytes(200_000))
        try await subject.run([Stub(nil, "*", response)]) { world in
            for delivery in [BodyDelivery.streamed, .collected(upTo: 1 << 20)] {
                let error = await world.failure(delivery: delivery)
                #expect(error?.code == .connectionLost, "\(error as Any)")
                #expect(error?.phase == .receiving)
            }
        }
    }

    static let notHTTP = TransportRule("what is no HTTP fails", needsSockets: true) { subject in
        try await subject.run([Stub(nil, "*", .text("ok").faulting(.badChunk))]) { world in
            let code = await world.failure()?.code
            #expect([.protocolViolation, .connectionLost, .invalidFraming].contains(code))
        }
    }

    static let shutdown = TransportRule("shutting down ends every call") { subject in
        try await subject.run([late]) { world in
            if world.server != nil {
                let task = Task { await world.failure("/late") }
                try await world.wait { $0.count == 1 }
                await world.transport.shutdown()
                #expect(await task.value?.code == .shutdown)
            }
            await world.transport.shutdown()
            #expect(await world.failure("/late")?.code == .shutdown)
        }
    }

    /// Returns a transport to an address without one of our servers.
    private static func elsewhere(_ subject: TransportSubject, _ url: String) -> TransportWorld {
        TransportWorld(
            transport: subject.make(nil), base: (try? BaseURL(url)) ?? "http://invalid.invalid", peer: MockTransport(),
            server: nil)
    }
}
#endif
