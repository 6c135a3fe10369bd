#if os(Linux)
import Testing

@testable import NetCurl

@Suite struct PEMBlockTests {
    /// An empty SEQUENCE: the shortest complete object.
    private let body = "MAA="

    private func pem(_ label: String, _ body: String, end: String? = nil) -> String {
        "-----BEGIN \(label)-----\n\(body)\n-----END \(end ?? label)-----\n"
    }

    @Test func objectsAreFoundAmongOtherWords() {
        let text = "subject: a\r\n" + pem("CERTIFICATE", body) + "words\n" + pem("EC PRIVATE KEY", body)
        let blocks = PEMBlock.all(in: text)
        #expect(blocks.map(\.label) == ["CERTIFICATE", "EC PRIVATE KEY"])
        #expect(blocks.allSatisfy { $0.isWhole && !$0.isEncrypted })
        #expect(PEMBlock.all(in: text.replacing("\n", with: "\r\n")) == blocks)
    }

    @Test(arguments: ["", "MAA", "MAE=", "AAAA", "MAAA", "M***", "MIIAAA==", "MIX/////", "MA"])
    func damagedCertificatesAreReported(body: String) {
        let text = pem("CERTIFICATE", body)
        #expect(PEMBlock.problem(in: text, expecting: .certificates)?.contains("damaged certificate, number 1") == true)
    }

    @Test func everyCutOfAPairIsRefusedOrTheWhole() {
        let text = pem("CERTIFICATE", body) + pem("PRIVATE KEY", body)
        for count in 0..<text.utf8.count - 1 {
            let part = String(text.prefix(count))
            #expect(PEMBlock.problem(in: part, expecting: .privateKey) != nil, "\(count)")
        }
        #expect(PEMBlock.problem(in: text, expecting: .privateKey) == nil)
        #expect(PEMBlock.problem(in: text, expecting: .certificates) == nil)
    }

    @Test func namesThatDoNotFitAreNoPair() {
        let text = pem("CERTIFICATE", body, end: "PRIVATE KEY")
        #expect(PEMBlock.problem(in: text, expecting: .certificates) != nil)
    }

    @Test func encryptedKeysWantAPassPhrase() {
        let new = pem("ENCRYPTED PRIVATE KEY", body)
        let old = pem("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA")
        for text in [new, old] {
            #expect(PEMBlock.problem(in: text, expecting: .privateKey)?.contains("pass phrase") == true)
            #expect(PEMBlock.problem(in: text, expecting: .privateKey, hasPassPhrase: true) == nil)
        }
    }
}
#endif
