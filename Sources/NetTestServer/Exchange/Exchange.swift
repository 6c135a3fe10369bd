#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting
internal import Synchronization

/// One request and its response: finds the stub, sends the stub's response, and updates the log.
struct Exchange: Sendable {
    let core: ServerCore
    let head: RequestHead
    let entry: Int
    let body: InboundBody
    let writer: any ResponseWriter

    init(
        core: ServerCore, head: RequestHead, connection: Int, stream: Int?, queue: InboundQueue,
        writer: any ResponseWriter
    ) {
        self.core = core
        self.head = head
        self.writer = writer
        let now = core.clock.now()
        let entry = core.log.begin { number in
            LoggedRequest(number: number, connection: connection, stream: stream, head: head, start: now)
        }
        self.entry = entry
        body = InboundBody(queue, expectsContinue: head.expectsContinue) {
            await writer.writeContinue()
        } observe: { observation in
            core.logBody(observation, of: entry)
        }
    }

    /// The state of the connection after an exchange.
    enum Sequel: Sendable {
        /// The connection can serve another request.
        case next
        /// The connection ends after the client has had time to read the response.
        case end
        /// The connection is closed, or ends immediately.
        case gone
    }

    /// Runs to the end of the response.
    func run() async -> Sequel {
        do {
            let response = try await answer()
            if response.delay > .zero { try await core.clock.sleep(for: response.delay) }
            let sender = ResponseSender(core: core, entry: entry, head: head, writer: writer, body: body)
            let mayContinue = try await sender.send(response, keepsAlive: head.keepsAlive)
            finish(response.fault == nil ? .completed : .dropped)
            guard mayContinue else { return response.drop == nil ? .end : .gone }
            return await body.drain(upTo: core.configuration.maximumBodyBytes) ? .next : .end
        } catch let refusal as Refusal {
            await refuse(refusal)
            return .end
        } catch let error as BodyFailure {
            await writer.drop(.close)
            finish(.failed(error.description))
        } catch {
            // The task is cancelled or a write fails only because the connection is gone.
            finish(core.connections.isClosed ? .serverStopped : .clientWentAway)
        }
        return .gone
    }

    /// Finds the stub and runs it. Throws ``Refusal``, or an error which means that the client has disconnected.
    private func answer() async throws -> StubResponse {
        var request = StubRequest(
            method: head.method, target: head.target, authority: head.authority, headers: head.headers)
        switch core.stubs.plan(request) {
        case .miss(let miss):
            return Self.notFound(miss)
        case .stream(let match):
            return try await respond(match)
        case .collect:
            request.body = try await collect()
            let match: StubTable.Match
            do throws(StubMiss) { match = try core.stubs.match(request) } catch { return Self.notFound(error) }
            return try await respond(match)
        }
    }

    private func respond(_ match: StubTable.Match) async throws -> StubResponse {
        core.log.update(entry) { entry, _ in entry?.stub = match.label }
        let whole = match.request.body
        let reader = StubBodyReader(whole.isEmpty ? ResponseBody(source: body) : ResponseBody(whole))
        do {
            switch match.stub.answer {
            case .fixed(let response): return response
            case .made(let make): return try await CancellableWork.run { try await make(match.request) }
            case .streaming(let make): return try await CancellableWork.run { try await make(match.request, reader) }
            }
        } catch {
            try Task.checkCancellation()
            if let refusal = body.refusal { throw refusal }
            core.log.update(entry) { entry, _ in entry?.outcome = .failed(ErrorSummary.describe(error)) }
            return .text("the stub \(match.stub) failed: \(error)\n", status: .internalServerError)
        }
    }

    /// Reads the whole body, up to the limit.
    private func collect() async throws -> Bytes {
        let limit = core.configuration.maximumBodyBytes
        do {
            return try await ResponseBody(source: body).collect(upTo: limit)
        } catch {
            if let refusal = body.refusal { throw refusal }
            guard error.code == .bodyTooLarge else { throw error }
            throw Refusal(status: .contentTooLarge, reason: "the body is larger than maximumBodyBytes, \(limit) bytes")
        }
    }

    private func refuse(_ refusal: Refusal) async {
        core.log.count { $0.refusals += 1 }
        let sender = ResponseSender(core: core, entry: entry, head: head, writer: writer)
        _ = try? await sender.send(.text(refusal.reason + "\n", status: refusal.status), keepsAlive: false)
        finish(.refused(refusal.reason))
        // Closing now would reset a client that is still sending its body, and it would never see the response.
        if body.refusal == nil { _ = await body.drain(upTo: 64 << 20) }
    }

    private func finish(_ outcome: LoggedRequest.Outcome) {
        let now = core.clock.now()
        core.log.update(entry) { entry, statistics in
            statistics.runningRequests -= 1
            entry?.end = now
            if case .failed = entry?.outcome { return }
            entry?.outcome = outcome
        }
    }

    private static func notFound(_ miss: StubMiss) -> StubResponse {
        .text("\(miss)\n", status: .notFound)
    }
}

extension ServerCore {
    /// Logs the part of a body that fits.
    fileprivate func logBody(_ observation: InboundBody.Observation, of entry: Int) {
        let limit = configuration.maximumLoggedBodyBytes
        log.update(entry) { entry, statistics in
            switch observation {
            case .bytes(let bytes):
                statistics.bytesRead += Int64(bytes.count)
                entry?.bodyBytes += Int64(bytes.count)
                guard let kept = entry?.body, kept.count < limit else { return }
                let part = bytes[0..<min(bytes.count, limit - kept.count)]
                entry?.body = Bytes.join([kept, part], count: kept.count + part.count)
            case .end(let digest, let trailers):
                entry?.bodySHA256 = digest
                entry?.trailers = trailers
            }
        }
    }
}
#endif
