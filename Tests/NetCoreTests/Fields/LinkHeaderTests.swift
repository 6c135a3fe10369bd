import HTTPTypes
import NetCore
import TestSupport
import Testing

@Suite struct LinkHeaderTests {
    @Test func linksAreReadAndResolved() throws {
        var headers: HTTPFields = [
            .link:
                "</a?page=3>; rel=\"next Last\"; title=\"x, \\\"y\\\"\" , <b> ;REL=prev; title*=UTF-8''na%C3%AFve; title=n"
        ]
        headers.append(HTTPField(name: .link, value: "<https://o/c>; rel=https://o/rel; anchor=\"#x\"; media=a/b"))
        let links = headers.links
        try #require(links.links.count == 3)
        let next = try #require(links["NEXT"])
        #expect(next.target == "/a?page=3")
        #expect(next.title == "x, \"y\"")
        #expect(next.isRelation("last"))
        #expect(next.url(from: "https://h/z/list?page=2") == "https://h/a?page=3")
        #expect(links["prev"]?.title == "naïve")
        #expect(links["prev"]?.url(from: "https://h/z/list") == "https://h/z/b")
        #expect(links.links[2].relations == ["https://o/rel"])
        #expect(links.links[2]["Media"] == "a/b")
        // It describes a resource other than the response.
        #expect(links["https://o/rel"] == nil)
    }

    @Test(arguments: [
        ("", 0), (",,", 0), ("<a>", 1), ("<a", 0), ("a; rel=next", 0), ("<a>; rel=next; rel=prev", 1),
        ("<a>;;; rel = next ; flag, <b>", 2), ("x \"<no>, \", <b>", 1), ("<a>; title=\"<b>, <c>\"", 1),
        ("<a>; rel=\"next", 1), ("<a> junk, <b>", 2), ("<>; rel=self", 1),
    ])
    func malformedLinksAreSkipped(text: String, count: Int) {
        #expect(LinkHeader(text).links.count == count)
    }

    @Test func onlyTheFirstRelationCounts() {
        #expect(LinkHeader("<a>; rel=next; rel=prev")["prev"] == nil)
        #expect(LinkHeader("<a>; rel=\"\"; rel=prev")["prev"] == nil)
    }

    @Test func linksAreWrittenAndReadBack() throws {
        let links = LinkHeader([
            .init(
                "/a?b=c", relations: ["next"], parameters: [.init("title", "a\"b\\c, d"), .init("title*", "UTF-8''x")]),
            .init("https://h/", relations: ["up", "https://h/rel"]), .init("", relations: ["a\\b"]),
        ])
        let text = try links.serialized()
        #expect(
            text.hasPrefix(#"</a?b=c>; rel="next"; title="a\"b\\c, d"; title*=UTF-8''x, <https://h/>; rel="up https"#))
        #expect(LinkHeader(text) == links)
        for bad in [
            LinkHeader.Link("a b", relations: []), .init("a>", relations: []), .init("a", relations: ["x y"]),
            .init("a", relations: [], parameters: [.init("x y", "1")]),
            .init("a", relations: [], parameters: [.init("x", "1\n")]),
        ] {
            #expect(throws: NetError.self) { try LinkHeader([bad]).serialized() }
        }
        var headers = HTTPFields()
        headers.links = links
        #expect(headers.links == links)
        headers.links = LinkHeader()
        #expect(headers[.link] == nil)
    }

    @Test(.timeLimit(.minutes(1))) func limitsHoldAndNoInputTakesLong() {
        #expect(LinkHeader(String(repeating: "<a>,", count: 5000)).links.count == LinkHeader.maximumLinks)
        for text in ["<", "<,", ">", "<a>;", "\"", "<a>; x=\"", ";", "\\", "<a>;;", "x"] {
            _ = LinkHeader(String(repeating: text, count: LinkHeader.maximumBytes / text.utf8.count))
        }
        for text in Samples.hostile { _ = LinkHeader(text) }
    }
}
