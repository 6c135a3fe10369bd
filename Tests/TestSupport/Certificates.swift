#if os(Linux)
import Foundation

/// Certificates for the peers of this process, created by OpenSSL: paths of PEM files.
package struct Certificates: Sendable {
    /// The issuer of the following four.
    package let authority = ScratchFolder.file("authority.pem")
    /// The certificate for `localhost`, `named.test`, 127.0.0.1 and ::1.
    package let server = ScratchFolder.file("server.pem")
    package let serverKey = ScratchFolder.file("server.key")
    /// The certificate for `other.test`.
    package let other = ScratchFolder.file("other.pem")
    package let otherKey = ScratchFolder.file("other.key")
    /// The certificate of the client `ann`.
    package let client = ScratchFolder.file("client.pem")
    package let clientKey = ScratchFolder.file("client.key")
    /// The certificate of the client `bob`.
    package let bob = ScratchFolder.file("bob.pem")
    package let bobKey = ScratchFolder.file("bob.key")
    /// The same key encrypted with the passphrase `geheim`, in the newer and in the older format.
    package let encryptedKey = ScratchFolder.file("client-encrypted.key")
    package let oldEncryptedKey = ScratchFolder.file("client-encrypted-old.key")
    /// Certificate and key in one file.
    package let clientBoth = ScratchFolder.file("client-both.pem")
    /// The self-signed certificate of a client that no server here trusts.
    package let stranger = ScratchFolder.file("stranger.pem")
    package let strangerKey = ScratchFolder.file("stranger.key")
    /// The pin of the server's key.
    package let serverPin: String

    package static let program = SystemProgram("openssl")
    private static let made = Task { try await offPool { try Certificates() } }

    package static var shared: Certificates {
        get async throws { try await made.value }
    }

    package func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private init() throws {
        let script = """
            set -e
            cd "$0"
            ec="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
            echo "subjectAltName=DNS:localhost,DNS:named.test,IP:127.0.0.1,IP:::1" >server.ext
            echo "subjectAltName=DNS:other.test" >other.ext
            echo "extendedKeyUsage=clientAuth" | tee client.ext >bob.ext
            openssl req -x509 $ec -keyout authority.key -out authority.pem -days 2 -subj "/CN=net tests"
            openssl req -x509 $ec -keyout stranger.key -out stranger.pem -days 2 -subj "/CN=stranger"
            openssl req $ec -keyout server.key -out server.csr -subj "/CN=localhost"
            openssl req $ec -keyout other.key -out other.csr -subj "/CN=other"
            openssl req $ec -keyout client.key -out client.csr -subj "/CN=ann"
            openssl req $ec -keyout bob.key -out bob.csr -subj "/CN=bob"
            for name in server other client bob; do
                openssl x509 -req -in $name.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \\
                    -extfile $name.ext -out $name.pem
            done
            cat client.pem client.key >client-both.pem
            openssl pkey -in client.key -aes256 -passout pass:geheim -out client-encrypted.key
            openssl ec -in client.key -aes256 -passout pass:geheim -out client-encrypted-old.key
            openssl pkey -in server.key -pubout -outform der | openssl dgst -sha256 -binary | base64 >server.pin
            chmod a+r ./*.key
            """
        let child = try ChildProcess("/bin/sh", ["-c", "(\(script)) >/dev/null 2>&1; echo done", ScratchFolder.path])
        _ = try child.lines { $0 == "done" }
        child.wait()
        serverPin = try ScratchFolder.read("server.pin").split(separator: "\n").first.map(String.init) ?? ""
    }
}
#endif
