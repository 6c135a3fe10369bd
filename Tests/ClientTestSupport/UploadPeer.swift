import Foundation
import NetCore
import TestSupport

#if canImport(Glibc)
import Glibc
#endif

/// An upload server that keeps each byte as it arrives, and fails as configured by a test: tus 1.0, the IETF draft, or
/// neither.
///
/// Each connection has its own thread. `@unchecked Sendable`: its constants are set before the first thread starts.
final class UploadPeer: @unchecked Sendable {
    enum Speech: Sendable {
        case tus(extensions: String = "creation,termination", checksums: String = "")
        /// `offers` is true if it sends 104.
        case draft(version: Int = 8, offers: Bool = true, limits: String? = nil)
        /// Accepts a body without any protocol.
        case plain
    }

    struct Visit: Sendable {
        let number: Int
        let method: String
        let path: String
        let headers: [String: String]
        /// The number of received bytes of the body.
        var bodyBytes = 0
        var length: Int { headers["content-length"].flatMap { Int($0) } ?? 0 }
    }

    /// The treatment of a request.
    enum Fate: Sendable {
        case served
        /// Resets the connection after the given number of body bytes, which are kept.
        case cut(after: Int)
        /// The request is processed, but its response is lost.
        case unanswered
        case status(Int, [String: String] = [:])
    }

    struct Upload: Sendable {
        var bytes: [UInt8] = []
        var length: Int?
        var isComplete = false
        var headers: [String: String] = [:]
    }

    let port: Int
    let visits = Locked<[Visit]>([])
    let uploads = Locked<[String: Upload]>([:])
    /// Decides the treatment of each request.
    let fate = Locked<@Sendable (Visit) -> Fate>({ _ in .served })
    /// Called with the number of bytes of an upload, as they arrive.
    let arrived = Locked<@Sendable (Int) -> Void>({ _ in })
    let speech: Speech
    private let listener: Int32
    private let open = Locked<Set<Int32>>([])

    init(_ speech: Speech) throws {
        self.speech = speech
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, length) | listen(listener, 64) | getsockname(listener, raw, &length)
            }
        }
        guard status == 0 else { throw POSIXError(.EADDRINUSE) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0, [EMFILE, ENFILE, EINTR, ECONNABORTED].contains(errno) {
                    usleep(1000)
                    continue
                }
                guard connection >= 0 else {
                    close(listener)
                    return
                }
                open.change { _ = $0.insert(connection) }
                Thread.detachNewThread { [self] in
                    UploadPeerConnection(connection, of: self).run()
                    open.change { _ = $0.remove(connection) }
                    close(connection)
                }
            }
        }
    }

    var url: String { "http://127.0.0.1:\(port)/files/" }

    /// The only upload.
    var only: Upload? { uploads.value.count == 1 ? uploads.value.values.first : nil }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in open.value { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    /// The number of body bytes of all requests.
    var receivedBytes: Int { visits.value.reduce(0) { $0 + $1.bodyBytes } }
    var methods: [String] { visits.value.map(\.method) }
}
