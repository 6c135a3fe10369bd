import Foundation
import HTTPTypes
import NetCore
import NetTesting
import Testing

@Suite struct URLRequestTests {
    private func prepared(
        _ path: String = "/a%2Fb?x=%2B", _ method: HTTPRequest.Method = .get, headers: HTTPFields = [:],
        body: RequestBody.Content = .none, options: RequestOptions = RequestOptions()
    ) -> PreparedRequest {
        PreparedRequest(
            head: HTTPRequest(
                method: method, scheme: "https", authority: "api.test:8443", path: path, headerFields: headers),
            body: body, options: options)
    }

    private func failure(_ body: () throws(NetError) -> Any) -> NetError? {
        do throws(NetError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    @Test func aPreparedRequestBecomesFoundations() throws {
        let many = HTTPField.Name("X-Many")
        var headers: HTTPFields = [.accept: "text/plain", .contentLength: "99"]
        for value in ["a", "b"] { headers.append(HTTPField(name: many, value: value)) }
        for value in ["k=1", "l=2"] { headers.append(HTTPField(name: .cookie, value: value)) }
        let request = try prepared("/a%2Fb/?x=%2B&y", .patch, headers: headers, body: .bytes(Bytes("hi".utf8)))
            .urlRequest
        #expect(request.url?.absoluteString == "https://api.test:8443/a%2Fb/?x=%2B&y")
        #expect(request.httpMethod == "PATCH")
        #expect(request.httpBody == Data("hi".utf8))
        #expect(request.timeoutInterval == 60)
        #expect(request.value(forHTTPHeaderField: "X-Many") == "a, b")
        #expect(request.value(forHTTPHeaderField: "Cookie") == "k=1; l=2")
        #expect(request.value(forHTTPHeaderField: "Accept") == "text/plain")
        #expect(request.value(forHTTPHeaderField: "Content-Length") == nil)
    }

    @Test func timeoutsGoAlong() throws {
        var options = RequestOptions(timeouts: Timeouts(firstByte: .seconds(5), stall: .seconds(9)))
        #expect(try prepared(options: options).urlRequest.timeoutInterval == 9)
        options.timeouts = .total(.seconds(5))
        #expect(try prepared(options: options).urlRequest.timeoutInterval == 60)
        options.timeouts = Timeouts(firstByte: nil)
        #expect(try prepared(options: options).urlRequest.timeoutInterval > 86_400)
    }

    @Test func aStreamedBodyIsRefusedRatherThanLost() throws {
        let chunks = AsyncStream<Bytes> { $0.finish() }
        let body = try RequestBody.stream(chunks).resolved(with: .standard).content
        let error = failure { () throws(NetError) in try prepared(body: body).urlRequest }
        #expect(error?.code == .unsupported)
    }

    @Test func foundationsRequestBecomesPrepared() throws {
        var request = URLRequest(url: try #require(URL(string: "HTTPS://api.test/a%2Fb/?x=%2B#part")))
        request.httpMethod = "PUT"
        request.setValue("1, 2", forHTTPHeaderField: "X-B")
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data("hi".utf8)
        request.timeoutInterval = 7
        let prepared = try PreparedRequest(request)
        #expect(prepared.url == "https://api.test/a%2Fb/?x=%2B")
        #expect(prepared.head.method == .put)
        #expect(prepared.head.headerFields[.contentType] == "text/plain")
        #expect(prepared.head.headerFields.map(\.value) == ["text/plain", "1, 2"])
        #expect(prepared.isReplayable)
        #expect(prepared.bodyLength == 2)
        #expect(prepared.options.timeouts?.stall == .seconds(7))
        #expect(prepared.options.timeouts?.firstByte == .seconds(7))
    }

    @Test func foundationsCachePolicyIsKept() throws {
        let policies: [(URLRequest.CachePolicy, CachePolicy)] = [
            (.useProtocolCachePolicy, .default), (.reloadIgnoringLocalCacheData, .reload),
            (.reloadIgnoringLocalAndRemoteCacheData, .reload), (.reloadRevalidatingCacheData, .revalidate),
            (.returnCacheDataElseLoad, .cacheElseLoad), (.returnCacheDataDontLoad, .offline),
        ]
        for (theirs, ours) in policies {
            let url = try #require(URL(string: "https://api.test/"))
            let prepared = try PreparedRequest(URLRequest(url: url, cachePolicy: theirs))
            #expect(prepared.options.cachePolicy == ours)
        }
    }

    @Test func bothWaysMakeTheSameRequest() throws {
        let headers: HTTPFields = [.accept: "a/b", .authorization: "Bearer x"]
        let first = prepared(headers: headers, body: .bytes(Bytes("{}".utf8)))
        let second = try PreparedRequest(first.urlRequest)
        #expect(second.url == first.url)
        #expect(second.head.headerFields == first.head.headerFields)
        #expect(second.bodyLength == 2)
        #expect(second.options.timeouts == nil)
    }

    @Test func unsupportedURLRequestsAreRejected() throws {
        for text in ["file:///etc/passwd", "ftp://a.test/", "https://user:pass@a.test/", "relative/path"] {
            let url = try #require(URL(string: text))
            let error = failure { () throws(NetError) in try PreparedRequest(URLRequest(url: url)) }
            #expect(error?.code == .invalidRequest, "\(text)")
            #expect(error?.description.contains("pass@") != true)
        }
        let url = try #require(URL(string: "https://a.test/"))
        var request = URLRequest(url: url)
        request.setValue("a\r\nb: c", forHTTPHeaderField: "X-A")
        let split = try? PreparedRequest(request)
        #expect(split?.head.headerFields.contains { $0.value.contains { $0.isNewline } } != true)
        request = URLRequest(url: url)
        request.httpBodyStream = InputStream(data: Data("x".utf8))
        let stream = failure { () throws(NetError) in try PreparedRequest(request) }
        #expect(stream?.code == .unsupported)
    }
}
