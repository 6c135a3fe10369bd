import Testing

@testable import NetHTTP

struct DownloadValueTests {
    @Test func aChecksumIsReadFromHexadecimalBase64AndHeaders() {
        let hexadecimal = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        let base64 = "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="
        let texts = [
            "sha-256=\(hexadecimal)", "SHA256=\(hexadecimal.uppercased())", "sha-256=\(base64)",
            "sha-256=:\(base64):", hexadecimal,
        ]
        for text in texts { #expect(DownloadChecksum(text)?.description == "sha-256=\(hexadecimal)", "\(text)") }
        #expect(DownloadChecksum.sha256(hexadecimal)?.hexadecimal == hexadecimal)
        #expect(DownloadChecksum.sha512(hexadecimal + hexadecimal)?.algorithm == .sha512)
        for text in [
            "", "sha-256=", "sha-256=12", "md5=\(hexadecimal)", "sha-512=\(hexadecimal)", "=", hexadecimal + "0",
        ] {
            #expect(DownloadChecksum(text) == nil, "\(text)")
        }
    }
}
