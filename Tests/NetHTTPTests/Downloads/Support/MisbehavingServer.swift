#if Server
import Foundation
import HTTPTypes
import NetCore
import NetCrypto
import NetTesting
import TestSupport
import Testing

/// A server whose responses to downloads are unusual or wrong, and the required result: the right file or an error, and
/// never a file of parts that don't belong together.
///
/// The file is ``file`` at `/file`. Most servers break off their first response after ``cut`` bytes, so that the rest
/// is requested. Their state begins anew with each ``stubs()``.
struct MisbehavingServer: Sendable, CustomTestStringConvertible {
    /// The required end of a download.
    enum Ending: Sendable, Equatable {
        /// With ``MisbehavingServer/file``.
        case file
        /// With ``MisbehavingServer/changed``, which the server has from the second request on.
        case changedFile
        /// With an error of one of these codes.
        case error(Set<String>)
    }

    /// The required behavior for the rest of the file.
    enum Resumption: Sendable {
        /// At least one request has a `Range`.
        case needed
        /// No request has a `Range`: nothing shows that the rest belongs to the existing part.
        case forbidden
        /// Both are acceptable.
        case free
    }

    /// One request, as seen by a server.
    struct Visit: Sendable {
        /// The number of the request, starting at 0.
        let number: Int
        let request: StubRequest

        var isFirst: Bool { number == 0 }
        /// The beginning of the requested range; nil if the whole file is requested.
        var start: Int64? {
            guard case .from(let first, _)? = request.headers[.range].flatMap({ RequestedRange($0) }) else {
                return nil
            }
            return first
        }
    }

    let testDescription: String
    let ending: Ending
    var resumption = Resumption.free
    /// True if the download needs the file's checksum.
    var hasChecksum = false
    /// True if it ends only by a timeout without bytes.
    var stalls = false
    let respond: @Sendable (Visit) -> StubResponse

    init(
        _ description: String, _ ending: Ending, resumes resumption: Resumption = .free, hasChecksum: Bool = false,
        stalls: Bool = false, _ respond: @escaping @Sendable (Visit) -> StubResponse
    ) {
        testDescription = description
        self.ending = ending
        self.resumption = resumption
        self.hasChecksum = hasChecksum
        self.stalls = stalls
        self.respond = respond
    }

    static let allCases = ranges + validators + codings + lengths + statuses + endings

    /// Returns the stubs of a server that has received no request yet.
    func stubs() -> [Stub] {
        let count = Locked(0)
        return [
            Stub(.get, "/{path*}") { [respond] request in
                var number = 0
                count.change {
                    number = $0
                    $0 += 1
                }
                return respond(Visit(number: number, request: request))
            }
        ]
    }

    /// Returns the reason why the received requests aren't allowed; nil if they are.
    func objection(to requests: [StubRequest]) -> String? {
        let ranges = requests.compactMap { $0.headers[.range] }
        switch resumption {
        case .needed where ranges.isEmpty: return "nothing was resumed in \(requests.count) requests"
        case .forbidden where !ranges.isEmpty: return "\(ranges) was asked for though nothing tells what it belongs to"
        default: break
        }
        for request in requests where request.headers[.acceptEncoding] != "identity" {
            return "Accept-Encoding is \(request.headers[.acceptEncoding] ?? "missing")"
        }
        return nil
    }
}

extension MisbehavingServer {
    static let length = 100_000
    /// The number of bytes in the first response.
    static let cut: Int64 = 40_000
    static let file = BytePattern.bytes(from: 0, count: length)
    /// Another file, a little longer.
    static let changed = BytePattern.bytes(from: 77, count: length + 500)
    /// The SHA-256 of ``file`` in hexadecimal.
    static let digest = RunningHash.digest(of: file, .sha256)?.hexadecimal ?? ""
}

extension StubResponse {
    /// The file with a strong validator.
    static let tagged = StubResponse.bytes(MisbehavingServer.file).header(.eTag, "\"1\"")
    /// The file without a validator.
    static let untagged = StubResponse.bytes(MisbehavingServer.file)
    /// Another file with another validator.
    static let retagged = StubResponse.bytes(MisbehavingServer.changed).header(.eTag, "\"2\"")

    /// The same, broken off after the first part.
    var cut: StubResponse { dropping(.afterBodyBytes(MisbehavingServer.cut)) }

    /// Returns a part of the file with the given range in its header, whether that is correct or not.
    static func part(
        _ bytes: Range<Int>, says range: String? = nil, tag: String? = "\"1\"", of file: Bytes = MisbehavingServer.file
    ) -> StubResponse {
        var response = StubResponse.bytes(file[bytes], status: .partialContent)
        response.headers[.contentRange] =
            range ?? "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(file.count)"
        response.headers[.eTag] = tag
        return response
    }

    /// Returns the same response without a header.
    func without(_ name: HTTPField.Name) -> StubResponse {
        var copy = self
        copy.headers[name] = nil
        return copy
    }

    /// The same response with chunks instead of a length.
    var chunked: StubResponse {
        var copy = self
        let bytes = body.whole ?? Bytes()
        copy.body = .chunks([StubChunk(bytes)])
        return copy
    }
}
#endif
