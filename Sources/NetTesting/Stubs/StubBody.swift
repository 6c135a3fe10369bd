public import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The body of a stub's response: complete bytes, or chunks that are generated while they are sent.
///
/// A body is opened again for every response, so one value can be used for many responses.
public struct StubBody: Sendable {
    /// A body about to be sent.
    package enum Opened: Sendable {
        case whole(Bytes)
        case script(length: Int64?, any IteratorProtocol<StubChunk> & Sendable)
        case stream(length: Int64?, ResponseBody)

        /// The number of bytes, if it is known in advance.
        package var length: Int64? {
            switch self {
            case .whole(let bytes): Int64(bytes.count)
            case .script(let length, _), .stream(let length, _): length
            }
        }
    }

    /// The bytes if they are already known; opening such a body takes no work.
    package let whole: Bytes?
    private let make: @Sendable () throws -> Opened
    /// Opens any part of a body that isn't complete bytes but has a known length; nil for other bodies.
    private var makePart: (@Sendable (Range<Int64>) throws -> Opened)?
    /// The length of such a body.
    private var length: (@Sendable () throws -> Int64)?

    private init(make: @escaping @Sendable () throws -> Opened) {
        whole = nil
        self.make = make
    }

    private init(_ whole: Bytes) {
        self.whole = whole
        make = { .whole(whole) }
    }

    package func open() throws -> Opened { try make() }

    /// The length of a body any part of which can be sent; nil for other bodies and files that can't be read.
    var rangedLength: Int64? {
        if let whole { return Int64(whole.count) }
        do { return try length?() } catch { return nil }
    }

    /// The part of the body within `range`, which lies within ``rangedLength``.
    func part(_ range: Range<Int64>) -> StubBody {
        if let whole { return StubBody(whole[Int(range.lowerBound)..<Int(range.upperBound)]) }
        guard let makePart else { return self }
        return StubBody { try makePart(range) }
    }

    /// No body.
    public static let empty = StubBody(Bytes())

    /// These bytes.
    public static func bytes(_ bytes: some Collection<UInt8>) -> StubBody { StubBody(Bytes(bytes)) }

    /// This text in UTF-8.
    public static func text(_ text: String) -> StubBody { .bytes(text.utf8) }

    /// A value as JSON, encoded immediately. A value that can't be encoded makes the response fail: with `.encoding` in
    /// the mock, with status 500 on the server.
    public static func json(_ value: some Encodable & Sendable, coding: JSONCoding = .standard) -> StubBody {
        do {
            return StubBody(try coding.encode(value))
        } catch {
            return StubBody { throw error }
        }
    }

    /// The content of a file, read for each response. A file that can't be read makes the response fail.
    public static func file(_ path: String) -> StubBody {
        let read: @Sendable () throws -> Data = {
            try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        }
        var body = StubBody { .whole(Bytes(try read())) }
        body.makePart = { .whole(Bytes(try read().dropFirst(Int($0.lowerBound)).prefix($0.count))) }
        body.length = { Int64(try read().count) }
        return body
    }

    /// Chunks with pauses. If `length` is nil, they are sent with chunked framing on HTTP/1.1.
    public static func chunks(_ chunks: [StubChunk], length: Int64? = nil) -> StubBody {
        .generated(length: length) { ScriptIterator(rest: chunks[...]) }
    }

    /// Chunks that an iterator generates one by one, only as fast as the reader takes them.
    public static func generated(
        length: Int64? = nil, _ make: @escaping @Sendable () -> any IteratorProtocol<StubChunk> & Sendable
    ) -> StubBody {
        StubBody { .script(length: length, make()) }
    }

    /// Chunks that an iterator generates one by one, for any part of a body of known length.
    static func ranged(
        length: Int64, _ make: @escaping @Sendable (Range<Int64>) -> any IteratorProtocol<StubChunk> & Sendable
    ) -> StubBody {
        var body = generated(length: length) { make(0..<length) }
        body.makePart = { .script(length: Int64($0.count), make($0)) }
        body.length = { length }
        return body
    }

    /// The elements of a sequence, pulled only as fast as the reader takes them.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        length: Int64? = nil, _ make: @escaping @Sendable () throws -> Chunks
    ) -> StubBody where Chunks.Element == Bytes {
        StubBody { .stream(length: length, ResponseBody(try make())) }
    }
}

/// An iterator over a list of chunks.
private struct ScriptIterator: IteratorProtocol, Sendable {
    var rest: ArraySlice<StubChunk>

    mutating func next() -> StubChunk? { rest.popFirst() }
}
