import Foundation
import HTTPTypes
import NetCore
import Testing

@Suite struct FailedResponseTests {
    private func response(_ body: [UInt8], _ type: String?, headers: HTTPFields = [:]) -> NetError.FailedResponse {
        var headers = headers
        headers[.contentType] = type
        return .init(head: ResponseHead(status: .badRequest, headers: headers), body: Bytes(body))
    }

    private func error(_ response: NetError.FailedResponse?, underlying: (any Error)? = nil) -> NetError {
        let call = CallSummary(id: CallID(high: 1, low: 2), method: .get, url: "https://h/x?token=<redacted>")
        return NetError(
            .unacceptableStatus, phase: .validating, message: "m", underlying: underlying, call: call,
            elapsed: .seconds(1), response: response)
    }

    @Test(
        "The text is read in the charset that the response names, else as UTF-8",
        arguments: [
            ([0x63, 0xe9], "text/plain; charset=iso-8859-1", "cé"), ([0x80], "text/plain; charset=windows-1252", "€"),
            ([0xc3, 0xa9], "text/plain", "é"), ([0xc3, 0xa9], nil, "é"),
            ([0xc3, 0xa9], "text/plain; charset=odd", "é"),
            ([0xc3, 0xa9], "text/plain; charset=us-ascii", "é"), ([0xff], "text/plain", nil), ([], nil, ""),
        ] as [([UInt8], String?, String?)])
    func text(body: [UInt8], type: String?, text: String?) {
        let response = response(body, type)
        #expect(response.text == text)
        #expect(RejectedResponse(head: response.head, body: response.body).text == text)
    }

    @Test func jsonIsIndentedAndSorted() {
        let pretty = response(Array(#"{"b":[1,{"z":1,"a":"x/y"}],"a":9007199254740993}"#.utf8), nil).prettyJSON
        let lines = (pretty ?? "").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            lines == [
                "{", "\"a\" : 9007199254740993,", "\"b\" : [", "1,", "{", "\"a\" : \"x/y\",", "\"z\" : 1", "}", "]",
                "}",
            ])
        #expect(response(Array("<html>".utf8), nil).prettyJSON == nil)
        let cut = response(Array("[\"\(String(repeating: "a", count: 70_000))\"]".utf8), nil)
        #expect(cut.prettyJSON == nil)
    }

    @Test func theFieldsAreAtHand() {
        let response = response([], "a/b", headers: [.retryAfter: "7"])
        #expect(response[.retryAfter] == "7")
        #expect(response.headers[.contentType] == "a/b")
    }

    @Test func theSummaryShowsEverythingButSecrets() {
        struct Cause: Error { let value = "SECRET" }
        let json = #"""
            {"title": "bad", "access_token": "SECRET", "more": [{"Password": "SECRET", "id": 7}],
             "next": "https://u:SECRET@h/x?api_key=SECRET"}
            """#
        let headers: HTTPFields = [.setCookie: "id=SECRET", .retryAfter: "7"]
        let error = error(
            response(Array(json.utf8), "application/problem+json", headers: headers), underlying: Cause())
        let summary = error.debugSummary
        for shown in ["GET https://h/x", "cause: Cause", "400", "Retry-After: 7", "\"bad\"", "\"id\" : 7"] {
            #expect(summary.contains(shown), "\(shown) in \(summary)")
        }
        #expect(!summary.contains("SECRET"), "\(summary)")
        var policy = RedactionPolicy.safeDefault
        policy.bodyNames.insert("title")
        #expect(!error.debugSummary(redaction: policy).contains("\"bad\""))
    }

    @Test func theSummaryOfOtherBodiesSaysOnlyHowLargeTheyAre() {
        let html = error(response(Array("<p>SECRET</p>".utf8), "text/html")).debugSummary
        #expect(html.hasSuffix("\n\n13 bytes of text/html"))
        #expect(!html.contains("SECRET"))
        #expect(error(nil).debugSummary == error(nil).description)
        #expect(error(response([], nil)).debugSummary.hasSuffix("HTTP/? 400 Bad Request"))
    }

    @Test("A character that is cut off at 64 KiB is left out of the text", arguments: 1...4)
    func cutText(bytesBefore: Int) {
        let body = [UInt8](repeating: 97, count: 65_536 - bytesBefore) + Array("👍👍".utf8)
        let text = response(body, "text/html; charset=utf-8").text
        #expect(text?.hasSuffix(bytesBefore == 4 ? "a👍" : "aa") == true)
        #expect(response([0x61, 0xf0, 0x9f], nil).text == nil)
    }

    @Test func systemsThatShowErrorsShowTheDescription() {
        let error = error(nil)
        #expect((error as any Error).localizedDescription == error.description)
        #expect(error.failureReason == "m")
        #expect((APIError<Never>.failed(error) as any Error).localizedDescription == error.description)
    }

    @Test func rejectedResponsesDoNotPrintTheirContent() {
        let head = ResponseHead(status: .conflict, headers: [.setCookie: "SECRET"])
        let call = CallSummary(id: CallID(high: 1, low: 2), method: .put, url: "https://h/x", attempt: 2)
        let rejected = RejectedResponse(head: head, body: Bytes("SECRET".utf8), call: call)
        #expect("\(rejected)" == "rejected with status 409 (PUT https://h/x, attempt 2)")
        var dumped = ""
        dump(rejected, to: &dumped)
        #expect(!dumped.contains("SECRET"))
        #expect(!String(reflecting: rejected).contains("SECRET"))
        #expect(rejected.status == .conflict)
        #expect(rejected[.setCookie] == "SECRET")
        #expect(!rejected.isSuccess)
    }
}
