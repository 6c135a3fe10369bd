import NetClient
import NetCore
import Testing

@Suite struct PublicSuffixesTests {
    @Test func theQuestionComesInLowerCaseWithoutDots() {
        let suffixes = PublicSuffixes { $0 == "co.uk" || $0 == "uk" }
        #expect(suffixes.contains("CO.UK"))
        #expect(suffixes.contains("co.uk."))
        #expect(!suffixes.contains("example.co.uk"))
        #expect(!suffixes.contains(""))
        #expect(!suffixes.contains("."))
    }

    @Test func anAddressBelongsToNobody() {
        let all = PublicSuffixes { _ in true }
        for address in ["127.0.0.1", "1", "0x7f.1", "[::1]", "::1"] { #expect(!all.contains(address)) }
        #expect(all.contains("0xyz"))
        #expect(all.contains("a1"))
    }

    @Test func theRegistrableDomainHasOneNameMore() {
        let suffixes = PublicSuffixes { ["uk", "co.uk", "com"].contains($0) }
        #expect(suffixes.registrableDomain(of: "a.b.Example.CO.UK.") == "example.co.uk")
        #expect(suffixes.registrableDomain(of: "example.com") == "example.com")
        for none in ["co.uk", "com", "", "127.0.0.1", "example.unknown"] {
            #expect(suffixes.registrableDomain(of: none) == nil, "\(none)")
        }
    }
}
