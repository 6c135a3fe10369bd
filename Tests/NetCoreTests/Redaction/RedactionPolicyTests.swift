import HTTPTypes
import NetCore
import NetTesting
import Testing

@Suite struct RedactionPolicyTests {
    private let policy = RedactionPolicy.safeDefault

    @Test(
        "A secret in a URL is hidden",
        arguments: [
            ("https://user:SECRET@h/x", "https://<redacted>@h/x"), ("https://SECRET@h", "https://<redacted>@h"),
            ("https://h/?token=SECRET", "https://h/?token=<redacted>"),
            ("https://h/?a=1&ToKeN=SECRET&b=2", "https://h/?a=1&ToKeN=<redacted>&b=2"),
            ("https://h/?%74oken=SECRET", "https://h/?%74oken=<redacted>"),
            ("https://h/?access%5Ftoken=SECRET", "https://h/?access%5Ftoken=<redacted>"),
            ("https://h/?accessToken=SECRET&api-key=SECRET", "https://h/?accessToken=<redacted>&api-key=<redacted>"),
            ("https://h/?user[password]=SECRET", "https://h/?user[password]=<redacted>"),
            ("https://h/?user%5Bpassword%5D=SECRET", "https://h/?user%5Bpassword%5D=<redacted>"),
            ("https://h/?secret[]=SECRET&a.passwd=SECRET", "https://h/?secret[]=<redacted>&a.passwd=<redacted>"),
            ("https://h/?secret[a][0]=SECRET", "https://h/?secret[a][0]=<redacted>"),
            ("https://h/?token=SECRET=SECRET", "https://h/?token=<redacted>"),
            ("https://h/?a=1;token=SECRET", "https://h/?a=1;token=<redacted>"),
            ("https://h/#access_token=SECRET&x=1", "https://h/#access_token=<redacted>&x=1"),
            ("https://h/?token=SECRET#token=SECRET", "https://h/?token=<redacted>#token=<redacted>"),
            ("https://h/#/route?token=SECRET", "https://h/#/route?token=<redacted>"),
            ("https://h/?token=SECRET?token=SECRET", "https://h/?token=<redacted>?token=<redacted>"),
            ("https://a@b:SECRET@h/", "https://<redacted>@h/"), ("https://user:SEC/RET@h/", "https://<redacted>@h/"),
            ("https://user:SEC?RET@h/", "https://<redacted>@h/"), ("https://user:SEC#RET@h/", "https://<redacted>@h/"),
            ("https://user:SECRET@\u{301}h/", "https://<redacted>@\u{301}h/"),
            ("https://h/?token=\u{301}SECRET", "https://h/?token=<redacted>"),
            ("https://h/?\u{301}&token=SECRET", "https://h/?\u{301}&token=<redacted>"),
            ("//user:SECRET@h/x", "//<redacted>@h/x"), ("user:SECRET@h/x", "<redacted>@h/x"),
            ("https:/user:SECRET@h/x", "https:/<redacted>@h/x"), ("https:\\\\user:SECRET@h", "https:\\\\<redacted>@h"),
            (
                "https://h/?next=https%3A%2F%2Fuser%3ASECRET%40h%2Fx",
                "https://h/?next=https%3A%2F%2F%3Credacted%3E%40h%2Fx"
            ),
            (
                "https://h/?next=https%3a%2f%2fh%2f%3Ftoken%3DSECRET",
                "https://h/?next=https%3A%2F%2Fh%2F%3Ftoken%3D%3Credacted%3E"
            ),
            (
                "https://h/?next=https%253A%252F%252Fu%253ASECRET%2540h",
                "https://h/?next=https%3A%2F%2F%3Credacted%3E%40h"
            ), ("https://h/?next=https://user:SECRET@h", "https://h/?next=https%3A%2F%2F%3Credacted%3E%40h"),
            ("/x?token=SECRET", "/x?token=<redacted>"), ("?token=SECRET", "?token=<redacted>"),
            ("https://h/a;token=SECRET/b?x=1", "https://h/a;token=<redacted>/b?x=1"),
            ("https://h/a;v=1;token=SECRET", "https://h/a;v=1;token=<redacted>"),
            ("/p;password=SECRET#x", "/p;password=<redacted>#x"), (";token=SECRET", ";token=<redacted>"),
            ("https://user:SECRET@h/a;token=SECRET", "https://<redacted>@h/a;token=<redacted>"),
            ("https://h/?next=%2Fb%3Ftoken%3DSECRET&a=1", "https://h/?next=%2Fb%3Ftoken%3D%3Credacted%3E&a=1"),
            ("https://h/?next=b%3fx=1%26token%3DSECRET", "https://h/?next=b%3Fx%3D1%26token%3D%3Credacted%3E"),
            ("https://h/?next=%252Fb%253Ftoken%253DSECRET", "https://h/?next=%2Fb%3Ftoken%3D%3Credacted%3E"),
            ("https://h/?next=%2Fb%23access_token%3DSECRET", "https://h/?next=%2Fb%23access_token%3D%3Credacted%3E"),
            ("https://h/?next=%2Fb%3Btoken%3DSECRET", "https://h/?next=%2Fb%3Btoken%3D%3Credacted%3E"),
        ])
    func secret(url: String, shown: String) {
        let redacted = policy.redact(url: url)
        #expect(redacted == shown)
        #expect(!redacted.contains("SEC"))
        #expect(policy.redact(url: redacted) == redacted)
    }

    @Test func aRelativeURLInABodyIsOneToo() {
        let text =
            #"{"next":"/b?token=SECRET","escaped":"\/b;token=SECRET","query":"?token=SECRET","path":"/a/b","text":"/ key=a"}"#
        let edits = policy.edits(in: Array(text.utf8), contentType: "application/json")
        #expect(
            String(decoding: edits.applied(to: Array(text.utf8)), as: UTF8.self)
                == #"{"next":"/b?token=<redacted>","escaped":"/b;token=<redacted>","query":"?token=<redacted>","#
                + #""path":"/a/b","text":"/ key=a"}"#)
    }

    @Test(
        "Everything else is shown as it is",
        arguments: [
            "https://h/a;v=1/b;c;=d?next=%2Fb%3Fx%3D1&q=what%3F&s=1%2B1%3D2%3B", "/a;b",
            "", "https://h", "https://h/@me/x:y?z=@", "https://[::1]:80/a?b=c#d", "https://h:8080/?a=1&b&c=&=d", "a:b",
            "//",
            "https://h/?tokens=1", "https://h/?[]=1&.=2&user[name]=3", "?", "#", "https://h/a%3Ftoken=1", "://",
            "https://", "http://h/x?y=é",
        ])
    func harmless(url: String) {
        #expect(policy.redact(url: url) == url)
    }

    @Test func anyTextIsTakenWithoutATrap() {
        let random = SeededRandom(seed: 9)
        let alphabet = Array(":/@?#&=;[]%\\a8\u{301}é")
        for _ in 0..<5000 {
            let text = String(
                (0..<Int(random.next() % 12)).map { _ in
                    alphabet[Int(random.next() % UInt64(alphabet.count))]
                })
            #expect(!policy.redact(url: text + "?token=SECRET").contains("SECRET"))
            #expect(!policy.redact(url: "https://u:SECRET@h/" + text).contains("SECRET"))
        }
    }

    @Test func namesAreComparedWithoutRegardToCase() throws {
        var policy = RedactionPolicy(headerNames: ["X-Session"], queryNames: ["Sid"])
        let session = HTTPField.Name("x-SESSION")
        #expect(policy.isSensitive(session))
        #expect(policy.redact(url: "?sID=1") == "?sID=<redacted>")
        policy.queryNames.insert("PIN")
        policy.headerNames.insert("Accept")
        #expect(policy.redact(url: "?pin=1") == "?pin=<redacted>")
        #expect(policy.isSensitive(.accept))
    }

    @Test func hiddenFieldsKeepTheirPlaceAndNumber() {
        var headers: HTTPFields = [.accept: "a"]
        headers.append(HTTPField(name: .setCookie, value: "SECRET"))
        headers.append(HTTPField(name: .setCookie, value: "SECRET2"))
        headers[.authorization] = "SECRET"
        let shown = policy.redact(headers)
        #expect(shown.map(\.value) == ["a", "<redacted>", "<redacted>", "<redacted>"])
        for name in [
            "authorization", "Proxy-Authorization", "cookie", "Set-Cookie", "x-api-key", "x-auth-token", "api-key",
        ] {
            #expect(HTTPField.Name(name).map { policy.isSensitive($0) } == true)
        }
    }

    @Test func aDisabledPolicyShowsEverything() {
        #expect(RedactionPolicy.disabled.redact(url: "https://u:p@h/?token=x") == "https://u:p@h/?token=x")
        #expect(RedactionPolicy.disabled.redact([.authorization: "x"])[.authorization] == "x")
    }

    @Test(
        arguments: [
            "%7B%22password%22%3A%22SECRET%22%2C%22to%22%3A%22https%3A%2F%2Fh%22%7D",
            "%7B%22password%22:%22SECRET%22,%22to%22:%22https%3A//h%22%7D",
            #"{"password":"SECRET","to":"https://h"}"#,
        ])
    func jsonInAQueryIsLookedInto(filter: String) {
        let shown = PercentEncoding.decode(policy.redact(url: "https://h/?filter=\(filter)&page=2"))
        #expect(shown == #"https://h/?filter={"password":"<redacted>","to":"https://h"}&page=2"#)
    }

    @Test func jsonWithoutSecretsInAQueryStays() {
        for plain in ["https://h/?filter=%7B%22id%22%3A7%7D", "https://h/?x=%5B1%2C2%5D:"] {
            #expect(policy.redact(url: plain) == plain)
        }
    }
}
