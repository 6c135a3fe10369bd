import Testing

@testable import NetStore

struct MarkdownTests {
    @Test func contentCannotCloseItsCodeBlock() {
        var page = Markdown()
        page.code("a\n```\n````b\nc\r\n\u{1b}[31m", language: "json")
        #expect(page.text == "`````json\na\n```\n````b\nc\n·[31m\n`````\n")
    }

    @Test func aTextWithinALineIsNoMarkup() {
        #expect(Markdown.inline("a|b *c* <i>\n`d` [e](f)") == #"a\|b \*c\* \<i\>·\`d\` \[e\](f)"#)
    }

    @Test func aTableHasItsCellsOnOneLineEach() {
        var page = Markdown()
        page.table(["A", "B"], [["1", "x|y"], ["2\n3", ""]])
        page.table(["A"], [])
        #expect(page.text == "| A | B |\n|---|---|\n| 1 | x\\|y |\n| 2·3 |  |\n")
    }
}
