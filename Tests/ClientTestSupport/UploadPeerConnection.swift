import Foundation
import NetCore
import NetCrypto
import TestSupport

#if canImport(Glibc)
import Glibc
#endif

/// One connection to an ``UploadPeer``; all its methods block.
struct UploadPeerConnection {
    private let socket: Int32
    private let peer: UploadPeer
    private var buffer: [UInt8] = []

    init(_ socket: Int32, of peer: UploadPeer) {
        (self.socket, self.peer) = (socket, peer)
    }

    /// Serves requests until the connection ends.
    func run() {
        var connection = self
        while connection.serve() {}
    }

    private mutating func serve() -> Bool {
        guard let visit = readHead() else { return false }
        let fate = peer.fate.value(visit)
        if visit.headers["expect"] != nil { write("HTTP/1.1 100 Continue\r\n\r\n") }
        if case .status(let code, let headers) = fate {
            guard readBody(visit, upTo: visit.length, into: nil) else { return false }
            return answer(code, headers)
        }
        var limit = visit.length
        if case .cut(let count) = fate { limit = min(limit, count) }
        let reply: (Int, [String: String])? =
            switch peer.speech {
            case .tus(let extensions, let checksums): tus(visit, limit, extensions, checksums)
            case .draft(let version, let offers, let limits): draft(visit, limit, version, offers, limits)
            case .plain: plain(visit, limit)
            }
        switch fate {
        case .cut, .unanswered:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            return false
        default: break
        }
        guard let reply else { return false }
        return answer(reply.0, reply.1, isHead: visit.method == "HEAD")
    }

    // MARK: - tus

    private mutating func tus(_ visit: UploadPeer.Visit, _ limit: Int, _ extensions: String, _ checksums: String) -> (
        Int, [String: String]
    )? {
        var headers = ["Tus-Resumable": "1.0.0"]
        if visit.method == "OPTIONS" {
            (headers["Tus-Version"], headers["Tus-Extension"]) = ("1.0.0", extensions)
            if !checksums.isEmpty { headers["Tus-Checksum-Algorithm"] = checksums }
            return (204, headers)
        }
        guard visit.headers["tus-resumable"] == "1.0.0" else { return (412, ["Tus-Version": "1.0.0"]) }
        switch visit.method {
        case "POST":
            let id = begin(visit, length: visit.headers["upload-length"].flatMap { Int($0) })
            guard readBody(visit, upTo: limit, into: id) else { return nil }
            (headers["Location"], headers["Upload-Offset"]) = (id, "\(count(id))")
            return (201, headers)
        case "HEAD":
            guard let upload = peer.uploads.value[visit.path] else { return (404, headers) }
            (headers["Upload-Offset"], headers["Upload-Length"]) = ("\(upload.bytes.count)", "\(upload.length ?? 0)")
            return (200, headers)
        case "PATCH":
            guard peer.uploads.value[visit.path] != nil else { return (404, headers) }
            guard visit.headers["upload-offset"] == "\(count(visit.path))" else { return (409, headers) }
            let start = count(visit.path)
            guard readBody(visit, upTo: limit, into: visit.path) else { return nil }
            if let checksum = visit.headers["upload-checksum"] {
                let bytes = peer.uploads.value[visit.path]?.bytes[start...] ?? []
                let digest = RunningHash.digest(of: Bytes(bytes), .sha256).map { Base64.encode($0) } ?? ""
                if checksum != "sha256 \(digest)" {
                    peer.uploads.change { $0[visit.path]?.bytes.removeSubrange(start...) }
                    return (460, headers)
                }
            }
            headers["Upload-Offset"] = "\(count(visit.path))"
            let isComplete = count(visit.path) == peer.uploads.value[visit.path]?.length
            peer.uploads.change { $0[visit.path]?.isComplete = isComplete }
            return (204, headers)
        case "DELETE": return remove(visit.path, headers)
        default: return (405, headers)
        }
    }

    // MARK: - The draft

    private mutating func draft(
        _ visit: UploadPeer.Visit, _ limit: Int, _ version: Int, _ offers: Bool, _ limits: String?
    ) -> (Int, [String: String])? {
        var headers = ["Upload-Draft-Interop-Version": "\(version)"]
        headers["Upload-Limit"] = limits
        if visit.headers["upload-draft-interop-version"] != "\(version)" { return (400, headers) }
        let name = version > 3 ? "Upload-Complete" : "Upload-Incomplete"
        let (yes, no) = version > 3 ? ("?1", "?0") : ("?0", "?1")
        let isLast = visit.headers[name.lowercased()] == yes
        switch visit.method {
        case "OPTIONS":
            headers["Accept-Patch"] = "application/partial-upload"
            return (200, headers)
        case "HEAD":
            guard let upload = peer.uploads.value[visit.path] else { return (404, headers) }
            (headers["Upload-Offset"], headers[name]) = ("\(upload.bytes.count)", upload.isComplete ? yes : no)
            return (204, headers)
        case "PATCH":
            guard let upload = peer.uploads.value[visit.path] else { return (404, headers) }
            if version >= 6, visit.headers["content-type"] != "application/partial-upload" { return (415, headers) }
            guard visit.headers["upload-offset"] == "\(upload.bytes.count)", !upload.isComplete else {
                (headers["Upload-Offset"], headers[name]) = ("\(upload.bytes.count)", no)
                return (409, headers)
            }
            guard readBody(visit, upTo: limit, into: visit.path) else { return nil }
            return finish(visit.path, isLast, headers, name, yes, no, status: 204)
        case "DELETE": return remove(visit.path, headers)
        default:
            let id = begin(visit, length: visit.headers["upload-length"].flatMap { Int($0) })
            headers["Location"] = id
            if offers {
                write(
                    "HTTP/1.1 104 Upload Resumption Supported\r\nUpload-Draft-Interop-Version: \(version)\r\nLocation: \(id)\r\n\r\n"
                )
            }
            guard readBody(visit, upTo: limit, into: id) else { return nil }
            return finish(id, isLast, headers, name, yes, no, status: 201)
        }
    }

    private func finish(
        _ id: String, _ isLast: Bool, _ headers: [String: String], _ name: String, _ yes: String, _ no: String,
        status: Int
    ) -> (Int, [String: String]) {
        var headers = headers
        headers[name] = isLast ? yes : no
        guard isLast else {
            headers["Upload-Offset"] = "\(count(id))"
            return (status, headers)
        }
        peer.uploads.change { $0[id]?.isComplete = true }
        headers["X-Made"] = "of \(count(id)) bytes"
        return (200, headers)
    }

    private mutating func plain(_ visit: UploadPeer.Visit, _ limit: Int) -> (Int, [String: String])? {
        if visit.method == "OPTIONS" { return (405, [:]) }
        let id = begin(visit, length: visit.length)
        guard readBody(visit, upTo: limit, into: id) else { return nil }
        peer.uploads.change { $0[id]?.isComplete = true }
        return (201, ["Location": id])
    }

    // MARK: - Uploads

    private func begin(_ visit: UploadPeer.Visit, length: Int?) -> String {
        peer.uploads.change { uploads in
            let id = "/files/upload-\(visit.number)"
            uploads[id] = UploadPeer.Upload(length: length, headers: visit.headers)
            return id
        }
    }

    private func count(_ id: String) -> Int { peer.uploads.value[id]?.bytes.count ?? 0 }

    private func remove(_ id: String, _ headers: [String: String]) -> (Int, [String: String]) {
        peer.uploads.change { $0.removeValue(forKey: id) } == nil ? (404, headers) : (204, headers)
    }

    // MARK: - The wire

    private mutating func readHead() -> UploadPeer.Visit? {
        while true {
            if let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
                let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
                buffer.removeSubrange(..<end.upperBound)
                let words = (lines.first ?? "").split(separator: " ")
                var headers: [String: String] = [:]
                for line in lines.dropFirst() {
                    let parts = line.split(separator: ":", maxSplits: 1)
                    guard parts.count == 2 else { continue }
                    headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
                }
                return peer.visits.change { visits in
                    let visit = UploadPeer.Visit(
                        number: visits.count + 1, method: String(words[0]), path: String(words[1]), headers: headers)
                    visits.append(visit)
                    return visit
                }
            }
            guard fill() else { return nil }
        }
    }

    /// Reads a body into an upload; nil discards it. Returns false if the connection has ended before, or is cut here.
    private mutating func readBody(_ visit: UploadPeer.Visit, upTo limit: Int, into id: String?) -> Bool {
        var rest = limit
        while rest > 0 {
            if buffer.isEmpty, !fill() { return false }
            let piece = buffer.prefix(rest)
            rest -= piece.count
            peer.visits.change { $0[visit.number - 1].bodyBytes += piece.count }
            if let id {
                let count = peer.uploads.change { uploads in
                    uploads[id]?.bytes += piece
                    return uploads[id]?.bytes.count ?? 0
                }
                peer.arrived.value(count)
            }
            buffer.removeFirst(piece.count)
        }
        return limit == visit.length
    }

    private mutating func fill() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        buffer += bytes[..<count]
        return true
    }

    private func answer(_ code: Int, _ headers: [String: String], isHead: Bool = false) -> Bool {
        let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
        let length = code == 204 || isHead ? "" : "Content-Length: 0\r\n"
        return write("HTTP/1.1 \(code) Reply\r\n\(lines)\(length)\r\n")
    }

    @discardableResult private func write(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}
