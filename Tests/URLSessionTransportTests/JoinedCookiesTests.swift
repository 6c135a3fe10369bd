import NetCore
import Testing

@Suite struct JoinedCookiesTests {
    @Test func oneCookieStaysWhole() {
        #expect(JoinedCookies.split("a=1") == ["a=1"])
        #expect(
            JoinedCookies.split("a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/")
                == ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/"])
    }

    @Test func joinedCookiesComeApart() {
        #expect(
            JoinedCookies.split("a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2; Secure,c=\"x\", __Host-d=")
                == ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2; Secure", "c=\"x\"", "__Host-d="])
    }

    @Test func aCommaInAValueStays() {
        #expect(JoinedCookies.split("a=1,2, 3; Path=/, b=4") == ["a=1,2, 3; Path=/", "b=4"])
    }

    @Test(arguments: ["", ",", ",,,", "=", ",=", "a,", " , a", "a=1, ", "\u{e9}, \u{e9}=1"])
    func malformedCookiesAreSplitIntoNonemptyPieces(text: String) {
        for piece in JoinedCookies.split(text) {
            #expect(!piece.isEmpty)
            #expect(text.contains(piece))
        }
    }
}
