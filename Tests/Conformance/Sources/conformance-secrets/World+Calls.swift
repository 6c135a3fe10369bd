#if Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetStore
import NetTesting

extension Call {
    var headerFields: HTTPFields {
        var fields = HTTPFields()
        for pair in headers {
            if let name = HTTPField.Name(pair[0]) { fields.append(HTTPField(name: name, value: pair[1])) }
        }
        return fields
    }

    var queryItems: QueryItems {
        var items = QueryItems()
        for pair in query { items.append(QueryItem(pair[0], pair[1])) }
        return items
    }

    func request<Value>(_ end: Call.End, _ serializer: ResponseSerializer<Value>) -> Request<Value> {
        Request(
            Path("c/\(number)/\(end.rawValue)"), method: body == nil ? .get : .post, query: queryItems,
            headers: headerFields, body: body.map { .text($0, contentType: contentType ?? "text/plain") } ?? .none,
            serializer: serializer)
    }
}

extension World {
    /// Makes the call once for each way in which it can end.
    func make(_ call: Call) async throws {
        var transport: any HTTPTransport = recording
        var proxied: CurlTransport?
        if let grant = call.credential, grant.kind == .proxy {
            proxied = grant.proxied(to: url, outputs)
            transport = proxied ?? recording
        }
        let client = try client(call.credential, over: transport)
        if call.credential != nil {
            outputs.print("request", client)
            outputs.print("request", client.configuration)
        }
        for end in call.ends {
            let request = call.request(end, .bytes)
            outputs.print("request", request)
            outputs.print("request", try client.prepare(request))
            do {
                if end == .undecodable {
                    outputs.print(
                        "response", try await client.response(call.request(end, ResponseSerializer<[Int]>.json)))
                } else {
                    let response = try await client.response(request)
                    outputs.print("response", response)
                    outputs.print("response", response.head)
                }
            } catch {
                show(error)
            }
        }
        await proxied?.shutdown()
        if call.ends.contains(.lost) { try await imitate(call) }
    }

    private func show(_ thrown: any Error) {
        outputs.print("error", thrown)
        guard let error = NetError(thrown) else { return }
        outputs.print("error", error)
        for text in [
            error.debugSummary, error.message, error.errorDescription ?? "", error.failureReason ?? "",
            error.localizedDescription,
        ] {
            outputs.add("error", text)
        }
        if let response = error.response { outputs.print("error", response) }
    }

    /// Makes the call on the doubles of tests, which print what they have received and what they miss.
    private func imitate(_ call: Call) async throws {
        let mock = MockTransport { request, _ in
            Site.response(
                to: StubRequest(method: request.head.method, target: request.url, headers: request.head.headerFields),
                call, .ok)
        }
        let strict = ContractTransport(Contract("empty", isStrict: true))
        let missing = MockTransport([Stub(.get, "/other", .status(.ok))])
        let middleware = try call.credential?.middleware(url) ?? []
        for transport: any HTTPTransport in [mock, strict, missing] {
            let client = HTTPClient(baseURL: try BaseURL(url), transport: transport) { $0.middleware = middleware }
            do {
                outputs.print("double", try await client.response(call.request(.ok, .bytes)))
            } catch {
                outputs.print("double", error)
            }
        }
        let values: [Any] = [
            mock, mock.journal, mock.recordedRequests, missing, missing.journal, strict, strict.report,
        ]
        for value in values { outputs.print("double", value) }
        outputs.add("double", strict.report.json)
        outputs.add("double", strict.report.junit)
        outputs.add("double", strict.report.violations.map(\.description).joined(separator: "\n"))
    }

    /// Stores the requests of all calls in an outbox, which accepts those without a secret in the URL.
    func post(_ calls: [Call]) async throws {
        let path = try outputs.path("outbox", "outbox.sqlite")
        let outbox = try Outbox(path: path)
        for call in calls where call.sent == nil {
            do {
                try await outbox.add(call.request(.ok, .bytes))
            } catch {
                outputs.print("outbox-items", error)
            }
        }
        for item in try await outbox.items(limit: 10_000) { outputs.print("outbox-items", item) }
        outputs.print("outbox-items", outbox)
        try? FileManager.default.copyItem(atPath: path + "-wal", toPath: path + ".copy")
        await outbox.close()
    }
}
#endif
