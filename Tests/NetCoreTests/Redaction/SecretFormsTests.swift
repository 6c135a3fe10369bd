import Foundation
import Testing

@testable import NetCore

@Suite struct SecretFormsTests {
    @Test func aPlainSecretHasOneForm() {
        #expect(SecretForms.all(of: "abc-DEF_123.~") == ["abc-DEF_123.~"])
    }

    @Test(
        arguments: [
            "a b/c+d=", "a%20b%2Fc%2Bd%3D", "a%20b%2fc%2bd%3d", "a+b%2Fc%2Bd%3D", #"a b\/c+d="#, #"a b/c+d\u003d"#,
        ])
    func aSecretIsFoundAsDocumentsAndURLsWriteIt(text: String) {
        #expect(SecretForms.all(of: "a b/c+d=").contains(text))
    }

    @Test(
        arguments: [
            #"a"b\c<é>"#, #"a\"b\\c<é>"#, #"a\"b\\c\u003c\u00e9\u003e"#, "a&quot;b\\c&lt;é&gt;",
            "a%22b%5Cc%3C%C3%A9%3E",
        ])
    func quotesMarkupAndOtherLettersAreEscaped(text: String) {
        #expect(SecretForms.all(of: #"a"b\c<é>"#).contains(text))
    }

    @Test(
        arguments: [
            ("Bearer a1b2", ["Bearer a1b2", "a1b2"]), ("a1b2", ["a1b2", "a1b2"]),
            (
                "Basic YWRhOmh1bnRlcjI6eA==",
                ["Basic YWRhOmh1bnRlcjI6eA==", "ada:hunter2:x", "hunter2:x", "YWRhOmh1bnRlcjI6eA=="]
            ),
            (
                #"Digest username="ada", realm="x", uri="/", response="0f1e""#,
                [#"Digest username="ada", realm="x", uri="/", response="0f1e""#, "0f1e"]
            ),
            ("sig1=:c2lnbmF0dXJl:", ["sig1=:c2lnbmF0dXJl:", "c2lnbmF0dXJl"]),
            ("a=x1,y2;z3", ["a=x1,y2;z3", "x1", "y2", "z3"]),
        ] as [(String, [String])])
    func theSecretPartsOfACredential(_ value: String, _ parts: [String]) {
        #expect(SecretForms.parts(ofCredential: value) == parts)
    }
}
