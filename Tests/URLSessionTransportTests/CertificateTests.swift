import Foundation
import Testing

@Suite struct CertificateTests {
    /// Two certificates, of a P-256 and of an RSA key, with text around them.
    private static let pem = """
        Subject: a.test
        -----BEGIN CERTIFICATE-----
        MIIBejCCAR+gAwIBAgIUUxF7qFr9s4bdaveJu7mDzhFQwoYwCgYIKoZIzj0EAwIw
        ETEPMA0GA1UEAwwGYS50ZXN0MCAXDTI2MTEyMTIxMzA1OVoYDzIxMjYxMDI4MjEz
        MDU5WjARMQ8wDQYDVQQDDAZhLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AAQWb9XiTVyXD/fndsphmjxF1SqWjTd5ne9dUdoveHInDiBpYvOHkRnNCeDxvOOj
        SyxrdjyR1xDZ0QAYNuj+6x5Zo1MwUTAdBgNVHQ4EFgQUoUaFgEusfj0VUQran3Dy
        z0rJRFswHwYDVR0jBBgwFoAUoUaFgEusfj0VUQran3Dyz0rJRFswDwYDVR0TAQH/
        BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAoOaoAdFUuMpeRQM+EbG6ECRken/h
        irlTPOIPPOVcjAUCIQCThdEH0AkT+/kNpINg6no3jnEfWt/UMY+cZ0QHvtvlCg==
        -----END CERTIFICATE-----
        and another
        -----BEGIN CERTIFICATE-----
        MIIDITCCAgmgAwIBAgIUXbyJNtdDqPhx562gb4E0aTVqE24wDQYJKoZIhvcNAQEL
        BQAwHzEPMA0GA1UEAwwGYi50ZXN0MQwwCgYDVQQKDANUd28wIBcNMjYxMTIxMjEz
        MTAwWhgPMjEyNjEwMjgyMTMxMDBaMB8xDzANBgNVBAMMBmIudGVzdDEMMAoGA1UE
        CgwDVHdvMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAou0PdT6r4c3t
        tlBJAaaNAr43EGeeUsTF4L88JMU/AyYIlRbkytdXVCj7gUKXRwFBOpRhVB5YMSl+
        ENhF9RXDjpag71BRx4lpL5gBvqwFORC1Wxuereh+VzxcLOXYtlVqWB/VYcGQK+Qf
        Ej0tP4FxSQxV4pypQjXzjuEGqpqMbEIywAS0YORf+UryOW2wwS+3CsgKK3MgwREa
        bHGJmZFLCHpSG/4QBIEF4bbxb3xB2kVY8eTAzoKyYfWZeDqHi3GWzZ9goBQSywZr
        wtEhM+AKiaBhn+emgFEKfYmmrw2pEmNa5LPNpcFjEmdsJKuVs/AIPBZooBs+EYsO
        eYCNzqe/tQIDAQABo1MwUTAdBgNVHQ4EFgQUkYYjcZmckgQF1+STyTKlNShuA5cw
        HwYDVR0jBBgwFoAUkYYjcZmckgQF1+STyTKlNShuA5cwDwYDVR0TAQH/BAUwAwEB
        /zANBgkqhkiG9w0BAQsFAAOCAQEAeAHnvclV9PYPRnbCVdkCtqirfY+YItW/Gn7X
        JieeBgY8N79gNxpBzn9m1fKp5SkAEVkXKqb3eZ6kcYPl6P6uDYCMCWr1YFQHEJ6+
        33qAnW7GZQrxFdTp4IzpjikfY+vlCQ1qW1xpEJSqlfCv1OCJoim6FT7PTbz+/W14
        EPO1Er1U+YhZkmAjiNnI2GihUL6tN6NArwUOP0bCh4svdc5YoWcANUuTID+LsiAf
        glPFQuVwc+z4JCYIVLnm7kYEU9+0dSxcwfYaXV2KVTdVOwg6s60XS2+Hk+/nnOUK
        +y0JFFqv202YoL6JYw7T5HAd2kjyIyFVgX0+0bCxZP/uqBPEfA==
        -----END CERTIFICATE-----
        """
    /// The output of `openssl x509 -pubkey` and `openssl pkey -outform der` for them.
    private static let keys = [
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFm/V4k1clw/353bKYZo8RdUqlo03eZ3vXVHaL3hyJw4gaWLzh5EZzQng8bzjo0ss"
            + "a3Y8kdcQ2dEAGDbo/useWQ==",
        "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAou0PdT6r4c3ttlBJAaaNAr43EGeeUsTF4L88JMU/AyYIlRbkytdXVCj7"
            + "gUKXRwFBOpRhVB5YMSl+ENhF9RXDjpag71BRx4lpL5gBvqwFORC1Wxuereh+VzxcLOXYtlVqWB/VYcGQK+QfEj0tP4FxSQxV4pyp"
            + "QjXzjuEGqpqMbEIywAS0YORf+UryOW2wwS+3CsgKK3MgwREabHGJmZFLCHpSG/4QBIEF4bbxb3xB2kVY8eTAzoKyYfWZeDqHi3GW"
            + "zZ9goBQSywZrwtEhM+AKiaBhn+emgFEKfYmmrw2pEmNa5LPNpcFjEmdsJKuVs/AIPBZooBs+EYsOeYCNzqe/tQIDAQAB",
    ]

    @Test func aTextHoldsSeveralCertificates() {
        let certificates = PEMCertificates.der(in: Self.pem)
        #expect(certificates.count == 2)
        #expect(certificates.allSatisfy { $0.first == 0x30 })
        let carriageReturns = Self.pem.split(separator: "\n").joined(separator: "\r\n")
        #expect(PEMCertificates.der(in: carriageReturns) == certificates)
    }

    @Test func aKeyIsFoundInItsCertificate() {
        let keys = PEMCertificates.der(in: Self.pem).map { PublicKeyInfo.der(ofCertificate: $0) }
        #expect(keys.map { $0.map { Data($0).base64EncodedString() } } == Self.keys)
    }

    @Test func pinsCountForTheirHosts() {
        let pins = PinnedKeys(["api.test": ["sha256/AA="], "*.test": ["sha256//BB=", "CC="]])
        #expect(pins.hashes(for: "api.test") == ["AA="])
        #expect(pins.hashes(for: "API.test") == ["AA="])
        #expect(pins.hashes(for: "www.test") == ["BB=", "CC="])
        #expect(pins.hashes(for: "other.example") == nil)
        #expect(PinnedKeys([:]).hashes(for: "api.test") == nil)
    }

    @Test(arguments: [
        "", "no certificate", "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----",
        "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
    ])
    func aTextWithoutCertificatesHasNone(text: String) {
        #expect(PEMCertificates.der(in: text).isEmpty)
    }

    @Test func aCertificateCutAnywhereHasNoKeyAndDoesNoHarm() {
        for certificate in PEMCertificates.der(in: Self.pem) {
            for count in 0..<certificate.count {
                #expect(PublicKeyInfo.der(ofCertificate: Array(certificate.prefix(count))) == nil)
                var broken = certificate
                for byte in [0x00, 0x7F, 0x80, 0x84, 0xFF] as [UInt8] {
                    broken[count] = byte
                    _ = PublicKeyInfo.der(ofCertificate: broken)
                }
            }
        }
    }
}
