import HTTPTypes
import Testing

@testable import NetCore

@Suite struct PagingTests {
    private let summary = CallSummary(id: CallID(high: 1, low: 2), method: .get, url: "u")

    private func page<Value: Sendable>(
        _ value: Value, url: String? = "https://a.test/list?page=1&offset=20", headers: HTTPFields = [:]
    ) -> Response<Value> {
        let request = url.map { text -> PreparedRequest in
            let reference = URLReference(text)
            let path = reference.path + (reference.query.map { "?" + $0 } ?? "")
            return PreparedRequest(
                head: HTTPRequest(method: .get, scheme: "https", authority: reference.authority, path: path))
        }
        return Response(
            value: value, head: ResponseHead(status: .ok, headers: headers), call: summary, request: request)
    }

    @Test func linksLeadByTheirRelation() {
        let headers: HTTPFields = [.link: "</b>; rel=next, </a>; rel=prev"]
        #expect(Paging<Int>.link().step(after: page(0, headers: headers), number: 0) == .url("/b"))
        #expect(Paging<Int>.link("prev").step(after: page(0, headers: headers), number: 0) == .url("/a"))
        #expect(Paging<Int>.link("last").step(after: page(0, headers: headers), number: 0) == .end)
        #expect(Paging<Int>.link().step(after: page(0), number: 0) == .end)
    }

    @Test func urlsAndCursorsOfThePageLeadOn() {
        let url = Paging<String?>.url { $0 }
        #expect(url.step(after: page("/b"), number: 3) == .url("/b"))
        #expect(url.step(after: page(nil), number: 3) == .end)
        let cursor = Paging<String?>.cursor(in: "after") { $0 }
        #expect(cursor.step(after: page("c"), number: 0) == .item(name: "after", value: "c"))
        #expect(cursor.step(after: page(nil), number: 0) == .end)
        #expect(cursor.step(after: page(""), number: 0) == .end)
    }

    @Test func pagesAreNumberedFromTheFirst() {
        let number = Paging<Int>.number(in: "page") { $0 == 0 }
        #expect(number.step(after: page(1), number: 0) == .item(name: "page", value: "2"))
        #expect(number.step(after: page(1), number: 4) == .item(name: "page", value: "6"))
        #expect(number.step(after: page(0), number: 4) == .end)
        let zero = Paging<Int>.number(in: "page", first: 0) { $0 == 0 }
        #expect(zero.step(after: page(1), number: 0) == .item(name: "page", value: "1"))
        let last = Paging<Int>.number(in: "page", first: .max) { _ in false }
        #expect(last.step(after: page(1), number: 0) == .end)
    }

    @Test func offsetsGrowByWhatCame() {
        let offset = Paging<Int>.offset(in: "offset") { $0 }
        #expect(offset.step(after: page(10), number: 0) == .item(name: "offset", value: "30"))
        #expect(offset.step(after: page(0), number: 0) == .end)
        #expect(offset.step(after: page(-1), number: 0) == .end)
        #expect(offset.step(after: page(1), number: 0) == .item(name: "offset", value: "21"))
        for url in ["https://a.test/list", "https://a.test/list?offset=x", nil] {
            #expect(offset.step(after: page(7, url: url), number: 0) == .item(name: "offset", value: "7"))
            let from = Paging<Int>.offset(in: "offset", first: 100) { $0 }
            #expect(from.step(after: page(7, url: url), number: 0) == .item(name: "offset", value: "107"))
        }
        #expect(offset.step(after: page(.max), number: 0) == .end)
    }

    @Test(
        arguments: [
            ("a", "https://h/?a=1&b=2", "1"), ("b", "https://h/?a=1&b=2", "2"), ("c", "https://h/?a=1", nil),
            ("a", "https://h/", nil), ("a", "https://h/?a", ""), ("a", "https://h/?a=", ""),
            ("a", "?ab=1&a=x=y", "x=y"),
            ("a b", "?a%20b=3", "3"),
        ] as [(String, String, String?)])
    func itemsAreFoundInAQuery(_ name: String, _ url: String, _ value: String?) {
        #expect(PagingQuery.value(of: name, in: url) == value)
    }

    @Test(
        arguments: [
            ("/x", "/x?a=n"), ("/x?", "/x?a=n"), ("/x?a=1", "/x?a=n"), ("/x?b=1&a=1&c=2&a=3", "/x?b=1&c=2&a=n"),
            ("/x?ab=1", "/x?ab=1&a=n"), ("/x?a", "/x?a=n"),
        ] as [(String, String)])
    func anItemIsReplacedAtTheEnd(_ path: String, _ expected: String) {
        #expect(PagingQuery.replacing("a", with: "n", in: path) == expected)
    }

    @Test func aStepIsShownWithoutSecrets() {
        var text = ""
        dump(Paging<Int>.Step.url("https://h/?token=SECRET"), to: &text)
        dump(Paging<Int>.Step.item(name: "access_token", value: "SECRET"), to: &text)
        #expect(!text.contains("SECRET"))
        #expect(text.contains("access_token"))
    }
}

@Suite struct PageCourseTests {
    private var first: PreparedRequest { .test("/list?size=2", headers: [.authorization: "x"]) }

    private func error(_ body: () throws(NetError) -> Void) -> String? {
        do throws(NetError) {
            try body()
            return nil
        } catch {
            return error.code == .paging && error.phase == .preparing ? error.message : "\(error)"
        }
    }

    private func next(_ course: inout PageCourse, limit: Int = 10) throws(NetError) -> PreparedRequest? {
        let first = first
        return try course.next({ () throws(NetError) in first }, limit: limit)
    }

    @Test func theRequestIsLedFromPageToPage() throws {
        var course = PageCourse()
        #expect(try next(&course)?.url == "https://a.test/list?size=2")
        course.received(Paging<Int>.Step.url("/list?after=3#part"), from: "https://a.test/list?size=2")
        let second = try next(&course)
        #expect(second?.url == "https://a.test/list?after=3")
        #expect(second?.head.headerFields[.authorization] == "x")
        course.received(Paging<Int>.Step.item(name: "after", value: "4"), from: "u")
        #expect(try next(&course)?.url == "https://a.test/list?after=4")
        course.received(Paging<Int>.Step.end, from: "u")
        #expect(try next(&course) == nil)
    }

    @Test func aCourseStaysAtItsOrigin() throws {
        for (url, reason) in [
            ("https://b.test/", "a page links to https://b.test, but"),
            ("http://a.test/", "a page links to http://a.test"),
            ("ftp://a.test/", "a page links to a URL that cannot be requested"),
        ] {
            var course = PageCourse()
            _ = try next(&course)
            course.received(Paging<Int>.Step.url(url), from: "https://a.test/")
            #expect(error { () throws(NetError) in _ = try next(&course) }?.hasPrefix(reason) == true)
        }
    }

    @Test func aCourseEndsInACircleAndAtItsLimit() throws {
        var circle = PageCourse()
        _ = try next(&circle)
        circle.received(Paging<Int>.Step.url("/list?size=2"), from: "https://a.test/")
        #expect(error { () throws(NetError) in _ = try next(&circle) }?.contains("already read") == true)
        var long = PageCourse()
        for page in 1...2 {
            _ = try next(&long, limit: 2)
            long.received(Paging<Int>.Step.item(name: "p", value: "\(page)"), from: "u")
        }
        #expect(
            error { () throws(NetError) in _ = try next(&long, limit: 2) }?.hasPrefix("there are more than 2") == true)
        #expect(error { () throws(NetError) in _ = try next(&long, limit: 3) } == nil)
    }

    @Test func aBodyThatCanBeReadOnceIsSentOnce() throws {
        var once = first
        once.body = .stream(length: 1, isReplayable: false) { HeldSource() }
        var course = PageCourse()
        let request = once
        _ = try course.next({ () throws(NetError) in request }, limit: 9)
        course.received(Paging<Int>.Step.item(name: "p", value: "1"), from: "u")
        #expect(
            error { () throws(NetError) in _ = try course.next({ () throws(NetError) in request }, limit: 9) }?
                .hasPrefix("the body can be read only once") == true)
    }

    @Test func theRequestIsPreparedOnce() throws {
        var course = PageCourse()
        var count = 0
        for page in 0..<3 {
            _ = try course.next(
                { () throws(NetError) in
                    count += 1
                    return first
                }, limit: 9)
            course.received(Paging<Int>.Step.item(name: "p", value: "\(page)"), from: "u")
        }
        #expect(count == 1)
    }
}
