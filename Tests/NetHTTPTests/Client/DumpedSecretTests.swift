import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Testing

/// The output of `print`, `dump` and a failing `#expect` for values with secrets.
@Suite struct DumpedSecretTests {
    private let mark = "PLANTED"

    private func texts(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), "\([value])", dumped]
    }

    private var request: Request<Bytes> {
        var request = Request<Bytes>(
            "x", query: [QueryItem("token", mark)], headers: [.authorization: mark], body: .text(mark),
            serializer: .bytes)
        request.options.idempotencyKey = mark
        request.options.deduplicationKey = mark
        request.options.absoluteURL = "https://h/?token=\(mark)"
        return request
    }

    @Test func requestsShowNone() throws {
        let client = HTTPClient(baseURL: "https://a.test/?key=PLANTED", transport: .mock()) {
            $0.headers = [.authorization: mark]
        }
        let prepared = try client.prepare(request)
        let values: [Any] = [
            request, request.options, prepared, client, client.configuration, try BaseURL("https://h/?key=\(mark)"),
            CallContext(for: prepared), request.body,
        ]
        for value in values {
            for text in texts(value) { #expect(!text.contains(mark), "\(type(of: value))") }
        }
    }

    @Test func answersAndErrorsShowNone() {
        let head = ResponseHead(status: .ok, headers: [.setCookie: mark, .location: "https://h/?code=\(mark)"])
        let bytes = Bytes(mark.utf8)
        var streamed = StreamedResponse(head: head, body: ResponseBody(bytes))
        streamed.news = [.setCookie: mark]
        let error = NetError(
            .unacceptableStatus, phase: .validating, message: "no", response: .init(head: head, body: bytes))
        let values: [Any] = [
            head, streamed, error, APIError<Never>.failed(error), RejectedResponse(head: head, body: bytes),
            error.response as Any,
        ]
        for value in values {
            for text in texts(value) { #expect(!text.contains(mark), "\(type(of: value))") }
        }
    }
}
