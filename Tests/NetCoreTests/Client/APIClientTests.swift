import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import NetCore

/// A client whose responses come from a closure.
private struct FunctionClient: APIClient {
    var respond: @Sendable (PreparedRequest) throws(NetError) -> StreamedResponse

    func prepare<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest {
        try RequestBuilder(baseURL: "https://a.test", defaultHeaders: [:], coding: .standard).prepare(request)
    }

    private func answered<R: APIRequest>(
        _ request: R, _ prepared: PreparedRequest
    ) async throws(NetError) -> Response<R.Response> {
        let response = try respond(prepared)
        let bytes = try await response.bytes()
        do {
            let value = try request.serializer.convert(response.head, bytes, SerializationContext())
            return Response(
                value: value, head: response.head, call: CallContext(for: prepared).summary, request: prepared)
        } catch {
            throw NetError(.decoding, phase: .decoding, message: "m")
        }
    }

    func response<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> Response<R.Response> {
        do throws(NetError) { return try await answered(request, try prepare(request)) } catch { throw .failed(error) }
    }

    func response<R: APIRequest>(
        _ request: R, as prepared: PreparedRequest
    ) async throws(APIError<R.Failure>) -> Response<R.Response> {
        do throws(NetError) { return try await answered(request, prepared) } catch { throw .failed(error) }
    }

    func stream<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> StreamedResponse {
        do throws(NetError) { return try respond(try prepare(request)) } catch { throw .failed(error) }
    }

    func raw<R: APIRequest>(_ request: R) async throws(NetError) -> Response<Bytes> {
        throw NetError(.unsupported, phase: .preparing, message: "m")
    }
}

@Suite(.timeLimit(.minutes(1))) struct APIClientTests {
    private func client(_ texts: [String: String], _ asked: Locked<[String]> = Locked([])) -> FunctionClient {
        FunctionClient { request throws(NetError) in
            asked.change { $0.append(request.url) }
            guard let text = texts[request.url] else { throw NetError(.dns, phase: .resolving, message: request.url) }
            return StreamedResponse(head: ResponseHead(status: .ok), body: ResponseBody(Bytes(text.utf8)))
        }
    }

    @Test func theShortFormsSendPathAndQuery() async throws {
        let client = client(["https://a.test/n?a=1": "[7]", "https://a.test/n": "[8]"])
        #expect(try await client.get("n", query: ["a": 1], as: [Int].self) == [7])
        #expect(try await client.get("n", as: [Int].self) == [8])
        #expect(try await client.send(Request<[Int]>("n")) == [8])
        #expect(try await client.stream("n", query: ["a": 1]).bytes() == Bytes("[7]".utf8))
        #expect(try await client.stream("n").text() == "[8]")
    }

    #if os(Linux)
    @Test func aDownloadIsWrittenToItsFile() async throws {
        let client = client(["https://a.test/n?a=1": "text"])
        let file = ScratchFolder.file("download.txt")
        let head = try await client.download("n", query: ["a": 1], to: file)
        #expect(head.status == .ok)
        #expect(try ScratchFolder.read("download.txt") == "text")
        let missing = await #expect(throws: APIError<Never>.self) {
            try await client.download("n", query: ["a": 1], to: "/no-such-folder/x")
        }
        #expect(missing?.netError?.code == .file)
    }
    #endif

    @Test func pagesAreReadInOrder() async throws {
        let asked = Locked<[String]>([])
        let client = client(
            [
                "https://a.test/n": "[1,2]", "https://a.test/n?from=2": "[3]", "https://a.test/n?from=3": "[]",
            ], asked)
        let pages = client.pages(Request<[Int]>("n"), by: .offset(in: "from") { $0.count })
        #expect(pages.limit == 1000)
        var found: [[Int]] = []
        var iterator = pages.makeAsyncIterator()
        while let page = try await iterator.next() { found.append(page.value) }
        #expect(found == [[1, 2], [3], []])
        #expect(asked.value.count == 3)
        #expect(try await iterator.next() == nil)
        #expect(asked.value.count == 3)
    }

    @Test func pagesAreNumbered() async throws {
        let client = client(["https://a.test/n": "1", "https://a.test/n?p=2": "2", "https://a.test/n?p=3": "3"])
        var found: [Int] = []
        for try await page in client.pages(Request<Int>("n"), by: .number(in: "p") { $0 == 3 }) {
            found.append(page.value)
        }
        #expect(found == [1, 2, 3])
    }

    @Test func anErrorEndsThePages() async throws {
        let client = client(["https://a.test/n": "1"])
        var iterator = client.pages(Request<Int>("n"), by: .number(in: "p") { _ in false }).makeAsyncIterator()
        #expect(try await iterator.next()?.value == 1)
        await #expect(throws: APIError<Never>.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        var limited = client.pages(Request<Int>("n"), by: .number(in: "p") { _ in false }, limit: 1).makeAsyncIterator()
        _ = try await limited.next()
        let error = await #expect(throws: APIError<Never>.self) { try await limited.next() }
        #expect(error?.netError?.code == .paging)
    }

    @Test func connectionsThatAreNotIdleAreActive() {
        let connections = HostConnections(origin: "o", open: 5, idle: 2)
        #expect(connections.active == 3)
        #expect(connections.waiting == 0)
        #expect(HostConnections(origin: "o") == HostConnections(origin: "o", open: 0, idle: 0, waiting: 0))
    }

    @Test func aTransportHasNothingToTellByDefault() async {
        let transport = FunctionTransport { _, _ in StreamedResponse(head: ResponseHead(status: .ok)) }
        await transport.shutdown()
        #expect(await transport.connections().isEmpty)
        #expect(transport.contentCodings.isEmpty)
        #expect(!transport.endsWithCall)
    }

    @Test func heldResourcesAreCountedByName() {
        let scope = ResourceScope()
        #expect(scope.held.isEmpty)
        scope.watch("files") { 2 }
        scope.watch("files") { 3 }
        scope.watch("tasks") { 0 }
        scope.watch("sockets") { 1 }
        #expect(scope.held == ["files": 5, "sockets": 1])
    }
}

private struct Failing: Middleware {
    let error: any Error
    func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
        _ = try await next(request, context)
        throw error
    }
}

@Suite struct MiddlewareTests {
    private let end = Next { _, _ in StreamedResponse(head: ResponseHead(status: .ok)) }

    private func failure(_ error: any Error) async -> NetError? {
        do throws(NetError) {
            _ = try await Next(Failing(error: error), before: end)(.test(), .test())
            return nil
        } catch {
            return error
        }
    }

    @Test func errorsOfAMiddlewareNameIt() async {
        struct Odd: Error {}
        let own = await failure(NetError(.dns, phase: .resolving, message: "m"))
        #expect(own?.code == .dns)
        #expect(own?.call != nil)
        #expect(own?.elapsed != nil)
        let odd = await failure(Odd())
        #expect(odd?.code == .middleware)
        #expect(odd?.phase == .middleware)
        #expect(odd?.underlying is Odd)
        #expect(odd?.message.hasPrefix("Failing failed: ") == true)
        let cancelled = await failure(CancellationError())
        #expect(cancelled?.code == .cancelled)
        #expect(cancelled?.message == "the call was cancelled in Failing")
        let other = CallContext.test().summary
        let nested = await failure(NetError(.dns, phase: .resolving, message: "m", call: other))
        #expect(nested?.message == "m, in a call that Failing made (GET https://a.test/)")
    }

    @Test func aMiddlewareKnowsNoIdentityByDefault() {
        let middleware = Failing(error: CancellationError())
        #expect(middleware.name == "Failing")
        #expect(middleware.identitySource == nil)
        #expect(!middleware.usesIdentity)
        #expect(!middleware.endsWithCall)
    }
}
