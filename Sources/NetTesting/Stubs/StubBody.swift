public import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a stub answers with: complete bytes, or chunks that are made while they go out.
///
/// A body is opened anew for every response, so one value can answer many requests.
public struct StubBody: Sendable {
    /// A body about to be sent.
    package enum Opened: Sendable {
        case whole(Bytes)
        case script(length: Int64?, any IteratorProtocol<StubChunk> & Sendable)
        case stream(length: Int64?, ResponseBody)

        /// The number of bytes, where it is known beforehand.
        package var length: Int64? {
            switch self {
            case .whole(let bytes): Int64(bytes.count)
            case .script(let length, _), .stream(let length, _): length
            }
        }
    }

    /// The bytes where they are known already: opening the body is no work then.
    package let whole: Bytes?
    private let make: @Sendable () throws -> Opened

    private init(make: @escaping @Sendable () throws -> Opened) {
        whole = nil
        self.make = make
    }

    private init(_ whole: Bytes) {
        self.whole = whole
        make = { .whole(whole) }
    }

    package func open() throws -> Opened { try make() }

    /// No body.
    public static let empty = StubBody(Bytes())

    /// These bytes.
    public static func bytes(_ bytes: some Collection<UInt8>) -> StubBody { StubBody(Bytes(bytes)) }

    /// This text in UTF-8.
    public static func text(_ text: String) -> StubBody { .bytes(text.utf8) }

    /// A value as JSON, encoded here and now. A value that cannot be encoded makes the answer fail: `.encoding` from the
    /// mock, 500 from the server.
    public static func json(_ value: some Encodable & Sendable, coding: JSONCoding = .standard) -> StubBody {
        do {
            return StubBody(try coding.encode(value))
        } catch {
            return StubBody { throw error }
        }
    }

    /// The content of a file, read when it is asked for. A file that cannot be read makes the answer fail.
    public static func file(_ path: String) -> StubBody {
        StubBody { .whole(Bytes(try Data(contentsOf: URL(fileURLWithPath: path)))) }
    }

    /// Chunks with pauses; `length` nil sends them chunked on HTTP/1.1.
    public static func chunks(_ chunks: [StubChunk], length: Int64? = nil) -> StubBody {
        .generated(length: length) { ScriptIterator(rest: chunks[...]) }
    }

    /// Chunks that an iterator makes one by one, only as fast as the reader takes them.
    public static func generated(
        length: Int64? = nil, _ make: @escaping @Sendable () -> any IteratorProtocol<StubChunk> & Sendable
    ) -> StubBody {
        StubBody { .script(length: length, make()) }
    }

    /// The elements of a sequence, pulled only as fast as the reader takes them.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        length: Int64? = nil, _ make: @escaping @Sendable () throws -> Chunks
    ) -> StubBody where Chunks.Element == Bytes {
        StubBody { .stream(length: length, ResponseBody(try make())) }
    }
}

/// Hands out a list of chunks.
private struct ScriptIterator: IteratorProtocol, Sendable {
    var rest: ArraySlice<StubChunk>

    mutating func next() -> StubChunk? { rest.popFirst() }
}
