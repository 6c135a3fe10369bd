import Testing

@testable import NetOpenAPI

@Suite struct SwiftIdentifierTests {
    @Test(arguments: [
        ("petId", "petID"), ("pet-id", "petID"), ("PET_ID", "petID"), ("photoUrls", "photoURLs"),
        ("HTTPServer", "httpServer"),
        ("userIDs", "userIDs"), ("2fa", "value2fa"), ("a.b", "aB"), ("naïve", "naïve"), ("_id", "id"), ("$ref", "ref"),
        ("X-Rate-Limit", "xRateLimit"), ("id", "id"), ("sha256Hash", "sha256Hash"), ("名前", "名前"), ("😀", "u1F600"),
    ])
    func aNameBecomesAProperty(_ name: String, _ expected: String) {
        #expect(SwiftIdentifier.lowerCamel(name) == expected)
    }

    @Test(arguments: [
        ("pet", "Pet"), ("api_response", "APIResponse"), ("3d-model", "Model3dModel"), ("UserId", "UserID"),
    ])
    func aNameBecomesAType(_ name: String, _ expected: String) {
        #expect(SwiftIdentifier.upperCamel(name) == expected)
    }

    @Test(arguments: [
        ("", "empty"), ("-1", "minus1"), ("+1", "plus1"), (">=", "greaterThanEqual"), ("1.5", "value1_5"),
    ])
    func aValueBecomesACase(_ value: String, _ expected: String) {
        #expect(SwiftIdentifier.caseName(value) == expected)
    }

    @Test func aTakenNameGetsANumberInTheOrderOfAsking() {
        var scope = NameScope(["a"])
        #expect(
            [scope.claim("a"), scope.claim("b"), scope.claim("b"), scope.claim("b", "c")] == ["a2", "b", "b2", "c"])
    }
}
