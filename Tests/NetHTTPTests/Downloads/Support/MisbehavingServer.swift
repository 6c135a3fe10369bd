#if Server
import Foundation
import HTTPTypes
import NetCore
import NetCrypto
import NetTesting
import TestSupport
import Testing

/// A server whose answers to downloads are unusual or wrong, and what must come of them: the right file, or an error, and
/// never a file of parts that don't belong together.
///
/// The file is ``file`` at `/file`. Most of them break off their first answer after ``cut`` bytes, so that the rest is asked
/// for. Their state begins anew with each ``stubs()``.
struct MisbehavingServer: Sendable, CustomTestStringConvertible {
    /// How a download of it ends.
    enum Ending: Sendable, Equatable {
        /// With ``MisbehavingServer/file``.
        case file
        /// With ``MisbehavingServer/changed``, the file that the server has since the second request.
        case changedFile
        /// With an error of one of these codes.
        case error(Set<String>)
    }

    /// What a request for the rest must do.
    enum Resumption: Sendable {
        /// At least one has a `Range`.
        case needed
        /// None has one: nothing tells that the rest belongs to what is there.
        case forbidden
        /// Both are right.
        case free
    }

    /// One request, as a server sees it.
    struct Visit: Sendable {
        /// The number of the request, from 0.
        let number: Int
        let request: StubRequest

        var isFirst: Bool { number == 0 }
        /// Where the wanted range begins; nil if the whole file is wanted.
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
    /// Whether the download has to know the file's checksum.
    var hasChecksum = false
    /// Whether it ends only by a time-out without bytes.
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

    /// The stubs of a server that has seen no request yet.
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

    /// Whether the requests that came are those that may come; nil if so, else why not.
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
    /// How much of the file the first answer has.
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
    /// The file without any.
    static let untagged = StubResponse.bytes(MisbehavingServer.file)
    /// Another file with another validator.
    static let retagged = StubResponse.bytes(MisbehavingServer.changed).header(.eTag, "\"2\"")

    /// The same, broken off after the first part.
    var cut: StubResponse { dropping(.afterBodyBytes(MisbehavingServer.cut)) }

    /// A part of the file as it is said, whether that is right or not.
    static func part(
        _ bytes: Range<Int>, says range: String? = nil, tag: String? = "\"1\"", of file: Bytes = MisbehavingServer.file
    ) -> StubResponse {
        var response = StubResponse.bytes(file[bytes], status: .partialContent)
        response.headers[.contentRange] =
            range ?? "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(file.count)"
        response.headers[.eTag] = tag
        return response
    }

    /// The same without a field.
    func without(_ name: HTTPField.Name) -> StubResponse {
        var copy = self
        copy.headers[name] = nil
        return copy
    }

    /// The same, ended by its chunks instead of by a length.
    var chunked: StubResponse {
        var copy = self
        let bytes = body.whole ?? Bytes()
        copy.body = .chunks([StubChunk(bytes)])
        return copy
    }
}
#endif
