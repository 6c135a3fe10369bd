import Foundation
import HTTPTypes
import Logging
import NetCore
import NetHTTP
@_spi(Generated) import NetOpenAPIRuntime
import NetTesting

/// The vocabulary: requests, responses, errors, settings.
extension PlantedValues {
    static let headers: HTTPFields = [
        .authorization: "Bearer PLANTED", .cookie: "session=PLANTED", .setCookie: "session=PLANTED; Path=/",
        .location: "/next?token=PLANTED", .contentType: "application/json",
    ]
    static let prepared = PreparedRequest(
        head: HTTPRequest(
            method: .post, scheme: "https", authority: "ann:PLANTED@api.test", path: "/login?token=PLANTED",
            headerFields: headers), body: .bytes(Bytes(json.utf8)), options: RequestOptions(absoluteURL: url))
    static let head = ResponseHead(status: .badRequest, version: "1.1", headers: headers)

    static func context() -> CallContext {
        var environment = CallContext.Environment()
        environment.logger = Logger(label: "test")
        return CallContext(for: prepared, environment: environment)
    }

    static func request() -> Request<[String: String]> {
        Request(
            url: url, method: .post, query: [QueryItem("token", "PLANTED")], headers: headers,
            body: .json(["password": "PLANTED"]),
            options: RequestOptions(absoluteURL: url, idempotencyKey: "PLANTED"))
    }

    /// A model with undeclared members.
    private struct Open: SchemaObject {
        let undeclared: UndeclaredMembers

        init(reading members: inout ObjectMembers) throws { undeclared = members.undeclared() }
        func visit(_ visitor: inout MemberVisitor) { visitor.members(undeclared: undeclared) }
    }

    private static func undeclared() throws -> UndeclaredMembers {
        try JSONCoding.standard.decode(Open.self, from: Bytes(json.utf8)).undeclared
    }

    mutating func plantRequests() throws {
        let request = Self.request()
        var options = request.options
        options.deduplicationKey = "PLANTED"
        options.identity = .named("PLANTED")
        options.baseURL = "https://ann:PLANTED@api.test/?key=PLANTED"
        options.middleware = [AuthMiddleware(try .bearer("PLANTED"))]
        plant(
            request, options, request.rejected(as: [String: String].self), Self.prepared,
            Self.context().identified(by: Self.prepared), CallIdentity.named("PLANTED"),
            OperationServer("https://ann:PLANTED@api.test/v1?token=PLANTED"),
            CallIdentity.holder(of: "PLANTED").union(.named("PLANTED")), Self.context(),
            Self.context().environment, request.body,
            RequestBody.Resolved(.bytes(Bytes(Self.json.utf8)), headers: Self.headers),
            RequestBody.Content.bytes(Bytes(Self.json.utf8)), RequestBody.form([QueryItem("password", "PLANTED")]),
            QueryItem("token", "PLANTED"), QueryItem("user[password]", "PLANTED"),
            ["token": "PLANTED", "user[password]": "PLANTED"] as QueryItems,
            request.with { $0.idempotencyKey = "PLANTED" },
            Bytes(Self.json.utf8))
        var cookie = ParameterFields()
        cookie.appendCookie("session", "PLANTED")
        cookie.append("Authorization", "PLANTED")
        plant(
            cookie, FormPart.text("password", "PLANTED"), FormPart.json("login", ["password": "PLANTED"]),
            MultipartForm([.text("password", "PLANTED")]), FormFile(Data("PLANTED".utf8)),
            FormFile.Contents.data(Data("PLANTED".utf8)), try required(options.baseURL))
        let client = HTTPClient(baseURL: "https://api.test", transport: MockTransport())
        var handshake = WebSocketRequest(url: "wss://ann:PLANTED@api.test/chat?token=PLANTED", headers: Self.headers)
        handshake.secretSubprotocol = "PLANTED"
        plant(
            WebSocketOptions(secretSubprotocol: "PLANTED"),
            WebSocketOpening.refused(StreamedResponse(head: Self.head, body: ResponseBody(Bytes(Self.json.utf8)))))
        plant(
            JSONValue.object(["password": "PLANTED"]),
            ProblemDetails(title: "no", extensions: ["token": "PLANTED"]), try Self.undeclared(),
            Call<Request<[String: String]>>(client), DefaultCall(client, request),
            RedirectDecision.follow(Self.prepared, fragment: "token=PLANTED"),
            handshake)
    }

    mutating func plantResponses() throws {
        let body = ResponseBody(Bytes(Self.json.utf8), trailers: Self.headers)
        let call = Self.context().summary
        plant(
            Self.head, body, body.makeAsyncIterator(), body.lines(), body.lines().makeAsyncIterator(),
            body.jsonLines(of: [String: String].self), body.jsonLines(of: [String: String].self).makeAsyncIterator(),
            StreamedResponse(head: Self.head, body: body),
            RejectedResponse(head: Self.head, body: Bytes(Self.json.utf8)),
            Response(value: 7, head: Self.head, call: call, request: Self.prepared),
            NetError.FailedResponse(head: Self.head, body: Bytes(Self.json.utf8)), call)
        let parts = try MultipartParts(body, boundary: "b")
        plant(
            parts, parts.makeAsyncIterator(), MultipartParser.Event.part(Self.headers),
            MultipartParser.Event.body(Bytes("PLANTED".utf8)), ServerSentEvents(body),
            ServerSentEvents(body).makeAsyncIterator(),
            ServerSentEvent(data: Self.json), WebSocketMessage.text(Self.json),
            WebSocketMessage.binary(Bytes("PLANTED".utf8)),
            LinkHeader(#"</a?token=PLANTED>; rel="next""#),
            LinkHeader.Link("/a?token=PLANTED", relations: ["next"]), Redirect(status: 302, url: call.url))
        let captured = CapturedExchange.Request(
            method: .post, url: Self.url, headers: Self.headers, body: CapturedBody(Bytes(Self.json.utf8)))
        let answer = CapturedExchange.Response(
            status: .ok, headers: Self.headers, body: CapturedBody(Bytes(Self.json.utf8)), trailers: Self.headers)
        plant(captured, answer, answer.body, answer.body.pieces.map { $0 as Any })
        if let key = RedactionPolicy.MarkKey("PLANTEDPLANTED!!".utf8) { plant(key) }
        var input = Bytes("PLANTED".utf8)
        var parser = try MultipartParser(boundary: "b")
        _ = try parser.next(from: &input)
        var lines = LineParser()
        input = Bytes("PLANTED".utf8)
        _ = try lines.next(from: &input)
        var events = ServerSentEventParser()
        input = Bytes("data: PLANTED".utf8)
        _ = try events.next(from: &input)
        plant(parser, lines, events)
        let summary = ActivityEvent(
            call: call.id, sequence: 0, date: Date(), elapsed: .zero, method: .get, url: call.url,
            kind: .ended(.failed(Self.error)))
        plant(
            summary, summary.kind, ActivityEvent.Outcome.failed(Self.error),
            ActivityEvent.Attempt(number: 1, error: Self.error), BodyEnd.failed(Self.error, bytes: 1),
            RetryDecision.Result.failure(Self.error), RequestState<Int>.failed(Self.error, previous: nil),
            RequestAction<Int>.response(.failure(Self.error)))
    }

    mutating func plantErrors() throws {
        plant(Self.error, APIError<Never>.failed(Self.error))
        plant(
            APIError<Int>.rejected(7, RejectedResponse(head: Self.head, body: Bytes(Self.json.utf8))))
        for cause in Self.causes {
            plant(NetError(.middleware, phase: .middleware, message: "failed", underlying: cause))
        }
    }

    /// An error with secrets in all parts.
    static let error = NetError(
        .unacceptableStatus, phase: .validating, message: "the server answered 400", underlying: causes[0],
        call: context().summary, response: NetError.FailedResponse(head: head, body: Bytes(json.utf8)))

    /// Errors that quote their input.
    static var causes: [any Error] {
        let key = [JSONKey("password")]
        return [
            DecodingError.dataCorrupted(.init(codingPath: key, debugDescription: "invalid String value PLANTED")),
            DecodingError.typeMismatch(Int.self, .init(codingPath: key, debugDescription: "found PLANTED")),
            EncodingError.invalidValue("PLANTED", .init(codingPath: key, debugDescription: "PLANTED is invalid")),
            NSError(domain: "app", code: 7, userInfo: [NSLocalizedDescriptionKey: "PLANTED"]),
            CocoaError(.fileReadNoSuchFile, userInfo: ["NSFilePath": "PLANTED"]),
            URLError(.badURL, userInfo: ["NSErrorFailingURLStringKey": url]), Quoting(text: "PLANTED"),
            Refused.token("PLANTED"),
            APIError<Quoting>.rejected(Quoting(text: "PLANTED"), RejectedResponse(head: head)),
        ]
    }

    struct Quoting: Error, LocalizedError, CustomStringConvertible {
        let text: String
        var description: String { text }
        var errorDescription: String? { text }
    }

    enum Refused: Error { case token(String) }
}
