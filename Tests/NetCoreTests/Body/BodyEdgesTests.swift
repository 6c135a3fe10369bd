import HTTPTypes
import TestSupport
import Testing

@testable import NetCore

@Suite(.timeLimit(.minutes(1))) struct BodyEdgesTests {
    private func body(_ texts: [String], end: NetError? = nil) -> ResponseBody {
        ResponseBody(source: HeldSource(texts, end: end))
    }
    private let lost = NetError(.connectionLost, phase: .receiving, message: "m")

    @Test func theBeginningOfABodyIsRead() async throws {
        func beginning(_ body: ResponseBody, _ limit: Int) async throws -> String {
            let (bytes, isWhole) = try await body.beginning(upTo: limit)
            return String(decoding: bytes, as: UTF8.self) + (isWhole ? "" : "…")
        }
        let whole = ResponseBody(Bytes("abc".utf8))
        for (limit, text) in [(4, "abc"), (3, "abc"), (2, "ab…"), (0, "…"), (-1, "…")] {
            #expect(try await beginning(whole, limit) == text)
            #expect(try await beginning(body(["ab", "c"]), limit) == text)
        }
        #expect(try await beginning(body([]), 0) == "")
        #expect(try await beginning(body(["ab"], end: lost), 3) == "ab…")
        let cancelled = NetError(.cancelled, phase: .receiving, message: "m")
        await #expect(throws: NetError.self) { try await beginning(body(["ab"], end: cancelled), 3) }
        #expect(await body(["ab", "c"]).prefix(upTo: 2) == Bytes("ab".utf8))
        #expect(await body([], end: cancelled).prefix(upTo: 2).isEmpty)
        let read = HeldSource(["ab", "c", "d"])
        _ = await ResponseBody(source: read).prefix(upTo: 3)
        #expect(read.cancellations == 1)
        let all = HeldSource(["ab"])
        _ = await ResponseBody(source: all).prefix(upTo: 2)
        #expect(all.cancellations == 0)
    }

    @Test func aBodyIsDrained() async throws {
        #expect(try await ResponseBody(Bytes("abc".utf8)).drain() == 3)
        #expect(try await body(["ab", "c"]).drain() == 3)
        await #expect(throws: NetError.self) { try await body(["ab"], end: lost).drain() }
        for (limit, kept) in [(0, ""), (1, "a"), (2, "ab"), (3, "abc"), (9, "abc")] {
            let drained = try await body(["ab", "c"]).drained(keeping: limit)
            if limit < 3 {
                #expect(drained.cut?.bytes == Bytes(kept.utf8))
                #expect(drained.cut?.total == 3)
                #expect(drained.whole == nil)
                #expect(try await drained.drain() == 3)
            } else {
                #expect(drained.whole == Bytes(kept.utf8))
                #expect(drained.cut == nil)
            }
        }
        #expect(try await body([]).drained(keeping: 5).whole?.isEmpty == true)
    }

    @Test func aBodyThatWasCutIsAnErrorAtItsEnd() async throws {
        let cut = ResponseBody(keeping: Bytes("ab".utf8), of: 5, metrics: TransferMetrics(total: .seconds(1)))
        #expect(cut.metrics?.total == .seconds(1))
        #expect(cut.trailers == nil)
        var iterator = cut.makeAsyncIterator()
        #expect(try await iterator.next() == Bytes("ab".utf8))
        let error = await #expect(throws: NetError.self) { try await iterator.next() }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message.hasPrefix("only the first 2 of 5 bytes of the body were kept") == true)
        var empty = ResponseBody(keeping: Bytes(), of: 5, metrics: nil).makeAsyncIterator()
        await #expect(throws: NetError.self) { try await empty.next() }
        let cancelled = ResponseBody(keeping: Bytes("ab".utf8), of: 5, metrics: nil)
        cancelled.cancel()
        await #expect(throws: NetError.self) { try await cancelled.collect(upTo: 99) }
        let ends = Locked<[Int64]>([])
        _ = cut.onEnd { if case .finished(let bytes) = $0 { ends.change { $0.append(bytes) } } }
        _ = ResponseBody(Bytes("abc".utf8)).onEnd {
            if case .finished(let bytes) = $0 { ends.change { $0.append(bytes) } }
        }
        #expect(ends.value == [5, 3])
    }

    @Test func theEndOfABodyIsToldOnce() async throws {
        func observed(_ source: HeldSource, _ use: (ResponseBody) async throws -> Void) async -> [String] {
            let ends = Locked<[String]>([])
            do {
                let body = ResponseBody(source: source).onEnd(
                    filling: { $0.noting("filled") },
                    { end in
                        ends.change {
                            switch end {
                            case .finished(let bytes): $0.append("finished \(bytes)")
                            case .failed(let error, let bytes): $0.append("\(error.message) \(bytes)")
                            case .cancelled(let bytes): $0.append("cancelled \(bytes)")
                            }
                        }
                    })
                try? await use(body)
            }
            return ends.value
        }
        #expect(await observed(HeldSource(["ab", "c"])) { _ = try await $0.collect(upTo: 9) } == ["finished 3"])
        #expect(await observed(HeldSource(["ab"], end: lost)) { _ = try await $0.collect(upTo: 9) } == ["m; filled 2"])
        #expect(
            await observed(HeldSource(["ab"], end: NetError(.cancelled, phase: .receiving, message: "m"))) {
                _ = try await $0.collect(upTo: 9)
            } == ["cancelled 2"])
        let dropped = HeldSource(["ab"])
        #expect(await observed(dropped) { _ in } == ["cancelled 0"])
        #expect(dropped.cancellations == 1)
        let finished = HeldSource(["ab"])
        let finishedEnds = await observed(finished) {
            var iterator = $0.makeAsyncIterator()
            _ = try await iterator.next()
            $0.finish()
        }
        #expect(finishedEnds == ["finished 2"])
        #expect(finished.cancellations >= 1)
        let failed = HeldSource(["ab"])
        let failedEnds = await observed(failed) {
            #expect($0.fail(NetError(.decoding, phase: .decoding, message: "d")).message == "d; filled")
        }
        #expect(failedEnds == ["d; filled 0"])
        #expect(failed.cancellations >= 1)
        let plain = HeldSource()
        let body = ResponseBody(source: plain)
        #expect(body.fail(lost).message == "m")
        #expect(plain.cancellations == 1)
        #expect(body.filled(lost).message == "m")
        body.finish()
        #expect(plain.cancellations == 2)
        #expect(
            await observed(HeldSource(["abc"])) { _ = try await $0.collect(upTo: 2) }.first?.hasSuffix("; filled 3")
                == true)
    }

    @Test func aBodyIsCollectedUpToItsLimit() async throws {
        for (limit, isRead) in [(3, true), (2, false), (0, false), (-1, false)] {
            #expect(((try? await ResponseBody(Bytes("abc".utf8)).collect(upTo: limit)) != nil) == isRead)
            let source = HeldSource(["ab", "c"])
            #expect(((try? await ResponseBody(source: source).collect(upTo: limit)) != nil) == isRead)
            #expect(source.cancellations == (isRead ? 0 : 1))
        }
        #expect(try await body([]).collect(upTo: 0).isEmpty)
    }

    @Test func aPulledBodyIsReadOnce() async throws {
        let whole = PulledBody(ResponseBody(Bytes("abc".utf8)))
        #expect(try await whole.next() == Bytes("abc".utf8))
        #expect(try await whole.next() == nil)
        #expect(try await PulledBody(ResponseBody()).next() == nil)
        let streamed = PulledBody(body(["a"]))
        #expect(try await streamed.next() == Bytes("a".utf8))
        #expect(try await streamed.next() == nil)
        let source = WholeBodySource(Bytes("abc".utf8))
        source.cancel()
        #expect(try await source.next() == nil)
        #expect(try await WholeBodySource(Bytes()).next() == nil)
    }

    @Test func aMeasuredBodyKeepsItsLength() async throws {
        func read(_ texts: [String], _ length: Int64?) async -> (Int, String?) {
            let source = HeldSource(texts)
            let measured = MeasuredBodySource.measuring(source, length)
            var count = 0
            do throws(NetError) {
                while let chunk = try await measured.next() { count += chunk.count }
                return (count, nil)
            } catch {
                return (count, "\(source.cancellations) \(error.message)")
            }
        }
        #expect(await read(["ab", "c"], 3) == (3, nil))
        #expect(await read(["ab"], 3) == (2, "0 the request body ended after 2 of its declared 3 bytes"))
        #expect(await read(["ab", "cd"], 3) == (2, "1 the request body is longer than its declared 3 bytes"))
        #expect(await read(["ab", "cd"], nil) == (4, nil))
        #expect(await read([], 0) == (0, nil))
    }

    @Test func numbersAreWrittenInHexadecimal() {
        #expect(Bytes([0, 0x0f, 0xf0, 0xab, 255]).hexadecimal == "000ff0abff")
        #expect(Bytes().hexadecimal.isEmpty)
        #expect(UInt8(7).paddedHexadecimal == "07")
        #expect(UInt16.max.paddedHexadecimal == "ffff")
        #expect(UInt64(1).paddedHexadecimal == "0000000000000001")
        #expect(UInt32(0).paddedHexadecimal == "00000000")
    }

    @Test func progressIsReportedAtItsPace() {
        var throttle = ProgressThrottle(.download, attempt: 2, interval: .seconds(1))
        func moved(_ completed: Int64, _ total: Int64? = 10, at seconds: Double) -> [Int64] {
            throttle.moved(to: completed, of: total, now: .seconds(seconds)).map(\.completed)
        }
        #expect(moved(3, at: 0) == [0])
        #expect(moved(4, at: 0.5) == [])
        #expect(moved(5, at: 1) == [5])
        #expect(moved(5, at: 9) == [])
        #expect(moved(4, at: 9) == [])
        #expect(moved(6, at: 1.9) == [])
        #expect(moved(10, at: 1.9) == [10])
        #expect(moved(10, at: 9) == [])
        #expect(throttle.finished(10, of: 10).isEmpty)
        #expect(throttle.finished(11, of: 10).map(\.completed) == [11])
        var whole = ProgressThrottle(.upload, attempt: 1, interval: .seconds(1))
        #expect(whole.moved(to: 5, of: 5, now: .zero).map(\.completed) == [0, 5])
        var empty = ProgressThrottle(.upload, attempt: 1, interval: .seconds(1))
        #expect(empty.moved(to: 0, of: 0, now: .zero).map(\.completed) == [0])
        #expect(empty.finished(0, of: 0).isEmpty)
        var none = ProgressThrottle(.upload, attempt: 3, interval: .seconds(1))
        #expect(none.finished(4, of: nil).map(\.completed) == [0, 4])
        var nothing = ProgressThrottle(.upload, attempt: 3, interval: .seconds(1))
        #expect(nothing.finished(0, of: nil).map(\.completed) == [0])
        #expect(TransferProgress(.upload, completed: 1).fraction == nil)
        #expect(TransferProgress(.upload, completed: 1, total: 0).fraction == nil)
        #expect(TransferProgress(.upload, completed: 1, total: 4).fraction == 0.25)
        #expect(TransferProgress(.upload, completed: 9, total: 4).fraction == 1)
        #expect(TransferProgress(.upload, completed: 1).attempt == 1)
        #expect(ProgressObserver { _ in }.interval == .milliseconds(100))
        #expect(TransferProgress(.upload, completed: 1, total: 1).fraction == 1)
    }
}
