import Testing

@testable import NetCore

struct XMLRedactionTests {
    private func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let once = RedactionPolicy.safeDefault.edits(in: bytes, contentType: "application/xml").applied(to: bytes)
        let twice = RedactionPolicy.safeDefault.edits(in: once, contentType: "application/xml").applied(to: once)
        #expect(once == twice)
        return String(decoding: once, as: UTF8.self)
    }

    private let hidden = "&lt;redacted&gt;"

    @Test func elementsAndAttributesWithSensitiveNamesAreHidden() {
        #expect(redacted("<a><password>x</password><n>1</n></a>") == "<a><password>\(hidden)</password><n>1</n></a>")
        #expect(redacted("<a token='x' n=\"1\"/>") == "<a token='\(hidden)' n=\"1\"/>")
        #expect(redacted("<s:Token xmlns:s='u'>x</s:Token>") == "<s:Token xmlns:s='u'>\(hidden)</s:Token>")
        #expect(redacted("<secret/><n>1</n>") == "<secret/><n>1</n>")
    }

    @Test func everythingInASensitiveElementIsHidden() {
        #expect(
            redacted("<credentials><user id=\"7\">ada</user>\n<![CDATA[x<y]]></credentials><n>1</n>")
                == "<credentials><user id=\"\(hidden)\">\(hidden)</user>\n<![CDATA[\(hidden)]]></credentials><n>1</n>")
    }

    @Test(arguments: [
        "<a><password>hunter2", "<a><password type=\"x\">hun", "<a token=\"hunter2", "<a><password><![CDATA[hunter2",
    ])
    func secretsInTruncatedDocumentsAreRedacted(_ text: String) {
        #expect(!redacted(text).contains("hun"))
    }

    @Test(arguments: [
        "<", "<a", "</", "<!--", "<a b", "<a b=", "<a b='", "<a '", "<![CDATA[", "<a/", "<a =\"\">", "<<>",
    ])
    func brokenMarkupStaysAsItIs(_ text: String) {
        #expect(redacted(text) == text)
    }

    @Test func commentsDeclarationsAndJSONInsideAreNoTags() {
        let text = "<?xml version=\"1.0\"?><!-- <password>no</password> --><!DOCTYPE a><a>ok</a>"
        #expect(redacted(text) == text)
        #expect(
            redacted("<script>if (1<a) s = {\"token\":\"x<b\"}</script>")
                == "<script>if (1<a) s = {\"token\":\"\(hidden)\"}</script>")
    }

    @Test func secretsInURLsOfAttributesAreHidden() {
        #expect(
            redacted("<a href=\"https://h/?token=x&amp;page=2\">text</a>")
                == "<a href=\"https://h/?token=\(hidden)&amp;page=2\">text</a>")
    }
}
