import Foundation
import HTTPTypes
import NetCore
import TestSupport
import Testing

@Suite struct FieldValuesTests {
    @Test func weightsAreWrittenShortAndReadBack() {
        var headers = HTTPFields()
        headers.accepted = ["application/json", Weighted("text/*", quality: 0.5), Weighted("*/*", quality: 0)]
        #expect(headers[.accept] == "application/json, text/*;q=0.5, */*;q=0")
        #expect(headers.accepted.map(\.quality) == [1, 0.5, 0])
        headers.acceptedLanguages = [Weighted("de", quality: 0.1234), Weighted("en", quality: 0.9999)]
        #expect(headers[.acceptLanguage] == "de;q=0.123, en")
        headers.acceptedEncodings = []
        #expect(headers[.acceptEncoding] == nil)
        headers.accepted = ["a\r\nX: y"]
        #expect(headers[.accept] == "a  X: y")
    }

    @Test func commasInQuotesDoNotSeparateAndWhatIsMalformedIsLeftOut() {
        var headers = HTTPFields()
        headers[.accept] = " text/html;level=\"1,2;3\" ; Q=0.3,, a/b;q=2, c/d ; q=x, e/f;q=.5;ext=1,"
        #expect(
            headers.accepted == [
                Weighted("text/html;level=\"1,2;3\"", quality: 0.3), Weighted("e/f", quality: 0.5),
            ])
        #expect(Weighted("x", quality: .nan).description == "x;q=0")
        #expect(Weighted("x", quality: -1).quality == 0)
        #expect(Weighted("x", quality: 7).description == "x")
        for text in Samples.hostile where HTTPField.isValidValue(text) {
            headers[.accept] = text
            _ = headers.accepted
        }
    }

    @Test func theOptionsOfAConnectionAreValues() {
        var headers: HTTPFields = [.connection: " Keep-Alive ,, Upgrade,\"x\", x-own"]
        #expect(headers.connection == [.keepAlive, .upgrade, "x-own"])
        headers.connection = [.close, "no token", "Trailer"]
        #expect(headers[.connection] == "close, trailer")
        headers.connection = []
        #expect(headers[.connection] == nil)
        #expect(headers.connection.isEmpty)
    }

    @Test func aContentTypeIsAValue() {
        var headers: HTTPFields = [.contentType: "Text/Plain; charset=x"]
        #expect(headers.mediaType?.essence == "text/plain")
        headers.mediaType = .json
        #expect(headers[.contentType] == "application/json")
        headers.mediaType = nil
        #expect(headers[.contentType] == nil)
    }

    @Test func credentialsAreWrittenAndReadButNotShown() throws {
        let basic = try Authorization.basic(user: "Aladdin", password: "open sesame:ü")
        #expect(Data(base64Encoded: basic.credentials) == Data("Aladdin:open sesame:ü".utf8))
        for (user, password) in [("a:b", "c"), ("a", "b\n"), ("a\0", "b")] {
            let error = #expect(throws: NetError.self) { try Authorization.basic(user: user, password: password) }
            #expect(error?.code == .invalidRequest)
        }
        #expect(throws: NetError.self) { try Authorization.bearer("x\r\nInjected: y") }
        #expect(throws: NetError.self) { try Authorization.bearer("") }
        #expect(throws: NetError.self) { try Authorization(scheme: "a b", credentials: "c") }
        var headers = HTTPFields()
        headers.authorization = try .bearer("SECRET")
        #expect(headers[.authorization] == "Bearer SECRET")
        #expect(headers.authorization?.credentials == "SECRET")
        var dumped = ""
        dump(headers.authorization, to: &dumped)
        #expect(!"\(String(describing: headers.authorization))\(dumped)".contains("SECRET"))
        #expect(Authorization("Digest realm=\"x\", qop=auth")?.credentials == "realm=\"x\", qop=auth")
        #expect(Authorization("Negotiate")?.value == "Negotiate")
        #expect(Authorization("") == nil)
        #expect(Authorization("=x") == nil)
    }

    @Test func aDispositionHasANameAndAFileName() {
        let made = ContentDisposition(#"form-data;NAME=a; filename="C:\x\"y.txt""#)
        #expect(made?.kind == "form-data")
        #expect(made?.name == "a")
        #expect(made?.filename == #"C:\x"y.txt"#)
        #expect(ContentDisposition("attachment")?.filename == nil)
        #expect(ContentDisposition("") == nil)
        #expect(ContentDisposition("form-data; name=\"a") == nil)
        #expect(ContentDisposition("form-data; name=a b") == nil)
    }

    @Test(arguments: [
        (#"attachment; filename="a.txt"; filename*=UTF-8''na%C3%AFve.txt"#, "naïve.txt"),
        (#"attachment; filename*=utf-8'en'%e2%82%ac%20rates; filename="EURO rates""#, "€ rates"),
        (#"attachment; FILENAME*=iso-8859-1''caf%E9"#, "café"),
        (#"attachment; filename*="UTF-8''quoted""#, "quoted"),
        // Malformed parameters are skipped.
        (#"attachment; filename="a"; filename*=UTF-8''%"#, "a"),
        (#"attachment; filename="a"; filename*=UTF-8''%4"#, "a"),
        (#"attachment; filename="a"; filename*=UTF-8''%FF"#, "a"), (#"attachment; filename="a"; filename*=b"#, "a"),
        (#"attachment; filename="a"; filename*=koi8-r''%C1"#, "a"), (#"attachment; filename="a"; filename*=''b"#, "a"),
    ])
    func theExtendedFileNameIsTakenFirst(text: String, filename: String) {
        #expect(ContentDisposition(text)?.filename == filename)
    }

    @Test(arguments: [
        ("attachment; filename=my report.pdf", "my report.pdf"), ("attachment; filename=ü.txt", "ü.txt"),
        ("attachment; filename=\"a b.txt", "a b.txt"), ("attachment; filename=a,b.txt; size=3", "a,b.txt"),
        ("attachment; filename = x.txt ;size=3", "x.txt"), ("attachment; filename=\"x.txt\" junk; size=3", "x.txt"),
        ("inline; attachment; filename=x.txt", "x.txt"), ("attachment; filename=; filename=x.txt", "x.txt"),
        ("attachment; =y; filename=x.txt; filename=z.txt", "x.txt"), ("attachment; filename=\"a;b\\\"c", "a;b\\\"c"),
        // A control character would end a line or a name.
        ("attachment; filename=a\nb", nil), ("attachment; filename=\"a\0b\"", nil), ("attachment filename=x.txt", nil),
        ("form-data; name=a; filename=my report.pdf", nil), ("form-data; name=a; filename=\"x", nil),
    ])
    func aFileNameThatIsWrittenWronglyIsReadAsBrowsersDo(text: String, filename: String?) {
        #expect(ContentDisposition(text)?.filename == filename)
    }

    @Test func twoDispositionsThatDifferAreNone() {
        var headers: HTTPFields = [.contentDisposition: "attachment; filename=a.txt"]
        headers.append(HTTPField(name: .contentDisposition, value: "attachment; filename=a.txt"))
        #expect(headers.disposition?.filename == "a.txt")
        headers.append(HTTPField(name: .contentDisposition, value: "attachment; filename=b.txt"))
        #expect(headers.disposition == nil)
    }

    @Test(.timeLimit(.minutes(1))) func noDispositionTakesLong() {
        for piece in [";a", ";a=\"", "; a = b", ";;", "\\\"", ";filename=\"x\"y"] {
            _ = ContentDisposition("attachment" + String(repeating: piece, count: 100_000))
            _ = ContentDisposition("attachment; filename=\"" + String(repeating: piece, count: 100_000))
        }
    }

    @Test(arguments: ["plain.txt", "naïve.txt", "€ \"rates\"", "a\\b", "C:\\x\"", "😀", "a;b,c", "100%"])
    func aWrittenFileNameIsReadBack(filename: String) {
        for kind in ["attachment", "form-data"] {
            let written = ContentDisposition(kind: kind, name: "n", filename: filename)
            let read = ContentDisposition(written.value)
            #expect(
                written.value.contains("filename*=") == (kind == "attachment" && !filename.utf8.allSatisfy { $0 < 128 })
            )
            // Browsers escape quotation marks in forms, and servers don't reverse that.
            let expected = kind == "form-data" ? filename.replacing("\"", with: "%22") : filename
            // Only an extended name, or one without a backslash, has the same meaning for every parser.
            if kind == "form-data" || !filename.contains("\\") {
                #expect(read?.filename == expected, "\(written.value)")
            }
        }
        #expect(
            ContentDisposition(kind: "attachment", filename: "a\r\nX: b").value
                == #"attachment; filename="a%0D%0AX: b""#)
    }

    @Test func pythonReadsTheExtendedFileName() async throws {
        let names = ["naïve.txt", "€ rates", "ü'%*;\"b", "😀"]
        let read: [String] = try await Tool.python(
            "import sys,json,re,urllib.parse\nprint(json.dumps([urllib.parse.unquote("
                + "re.search(\"filename[*]=UTF-8''([^; ]*)$\", v)[1]) for v in json.load(sys.stdin)]))",
            names.map { ContentDisposition(kind: "attachment", filename: $0).value })
        #expect(read == names)
    }
}
