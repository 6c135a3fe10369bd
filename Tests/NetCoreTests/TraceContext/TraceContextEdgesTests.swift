import HTTPTypes
import TestSupport
import Testing

@testable import NetCore

@Suite struct TraceContextEdgesTests {
    private let id = "0af7651916cd43dd8448eb211c80319c"
    private let parent = "b7ad6b7169203331"

    @Test func aTraceParentIsRead() throws {
        let read = try #require(TraceParent(" \t00-\(id)-\(parent)-01\t "))
        #expect(read.traceID.high == 0x0af7_6519_16cd_43dd)
        #expect(read.traceID.low == 0x8448_eb21_1c80_319c)
        #expect(read.parentID == 0xb7ad_6b71_6920_3331)
        #expect(read.isSampled)
        #expect(read.description == "00-\(id)-\(parent)-01")
        #expect(TraceParent("00-\(id)-\(parent)-00")?.description == "00-\(id)-\(parent)-00")
        for (flags, isSampled) in [("02", false), ("03", true), ("ff", true), ("fe", false)] {
            #expect(TraceParent("00-\(id)-\(parent)-\(flags)")?.isSampled == isSampled)
        }
        #expect(TraceParent("01-\(id)-\(parent)-01-more-of-it") != nil)
        #expect(TraceParent("fe-\(id)-\(parent)-01") != nil)
    }

    @Test func anythingElseIsNone() {
        let (zeros, none) = (String(repeating: "0", count: 32), String(repeating: "0", count: 16))
        let wrong = [
            "", "00", "00-\(id)-\(parent)", "00-\(id)-\(parent)-01-", "ff-\(id)-\(parent)-01", "0-\(id)-\(parent)-01",
            "000-\(id)-\(parent)-01", "00-\(id)0-\(parent)-01", "00-\(id.dropLast())-\(parent)-01",
            "00-\(id)-\(parent)0-01",
            "00-\(id)-\(parent.dropLast())-01", "00-\(id)-\(parent)-1", "00-\(id)-\(parent)-001",
            "00-\(zeros)-\(parent)-01",
            "00-\(id)-\(none)-01", "00-\(id.uppercased())-\(parent)-01", "00-\(id.dropLast())g-\(parent)-01",
            "0/-\(id)-\(parent)-01", "0:-\(id)-\(parent)-01", "0`-\(id)-\(parent)-01", "00-\(id)-\(parent)-0g",
            "00-\(id)-\(parent)-01\n",
        ]
        for text in wrong { #expect(TraceParent(text) == nil, "\(text)") }
        #expect(TraceParent.TraceID(high: 0, low: 0) == nil)
        #expect(TraceParent.TraceID(high: 1, low: 0) != nil)
        #expect(TraceParent.TraceID(high: 0, low: 1) != nil)
    }

    @Test func aParentIsMadeOfRandomBits() throws {
        let zero = NetRandom { 0 }
        let made = TraceParent.random(zero)
        #expect(made.traceID.high == 0)
        #expect(made.traceID.low == 1)
        #expect(made.parentID == 1)
        #expect(made.isSampled)
        #expect(!TraceParent.random(zero, isSampled: false).isSampled)
        #expect(TraceParent.random(NetRandom { 7 }).parentID == 7)
        let child = try #require(TraceParent(traceID: made.traceID, parentID: 9, isSampled: false)).child(
            random: NetRandom { 5 })
        #expect(child.traceID == made.traceID)
        #expect(child.parentID == 5)
        #expect(!child.isSampled)
        #expect(TraceParent(traceID: made.traceID, parentID: 0) == nil)
        #expect(TraceParent(traceID: made.traceID, parentID: 1)?.isSampled == true)
        let call = TraceParent(CallID(high: 3, low: 4), random: NetRandom { 6 })
        #expect(call.traceID.high == 3)
        #expect(call.traceID.low == 4)
        #expect(call.parentID == 6)
        #expect(call.isSampled)
    }

    @Test func keysOfAStateHaveTheirLetters() {
        for byte in UInt8(0)..<128 {
            let scalar = Unicode.Scalar(byte)
            let isPlain = (97...122).contains(byte) || (48...57).contains(byte)
            var state = TraceState()
            state["\(scalar)"] = "v"
            #expect((state.entries.count == 1) == isPlain, "\(byte)")
            var second = TraceState()
            second["a\(scalar)"] = "v"
            #expect((second.entries.count == 1) == (isPlain || "_-*/@".utf8.contains(byte)), "\(byte)")
            var value = TraceState()
            value["a"] = "x\(scalar)y"
            #expect((value.entries.count == 1) == (byte >= 32 && byte < 127 && byte != 44 && byte != 61), "\(byte)")
        }
        for (key, value, isKept) in [
            ("a", "", true), ("", "v", false), ("a@b", "v", true), ("a@b@c", "v", false), ("a", "v ", false),
            ("a", " v", true),
            (String(repeating: "a", count: 256), "v", true), (String(repeating: "a", count: 257), "v", false),
            ("a", String(repeating: "v", count: 256), true), ("a", String(repeating: "v", count: 257), false),
        ] {
            var state = TraceState()
            state[key] = value
            #expect((state[key] == value) == isKept)
        }
    }

    @Test func statesAreReadAndChanged() throws {
        var state = try #require(TraceState(lines: ["a=1,\tb=2 ", "", " , c=3"]))
        #expect(state.description == "a=1,b=2,c=3")
        #expect(state["b"] == "2")
        #expect(state["x"] == nil)
        state["b"] = "9"
        #expect(state.description == "b=9,a=1,c=3")
        state["a"] = nil
        state["X"] = "1"
        #expect(state.description == "b=9,c=3")
        for text in ["a", "a=1,a=2", "A=1", "a=1=2", "a=\u{1}"] { #expect(TraceState(text) == nil, "\(text)") }
        let full = (0..<32).map { "k\($0)=1" }.joined(separator: ",")
        var most = try #require(TraceState(full))
        #expect(most.entries.count == 32)
        #expect(TraceState(full + ",x=1") == nil)
        #expect(TraceState.maximumEntries == 32)
        #expect(TraceState.maximumBytes == 512)
        most["x"] = "1"
        #expect(most.entries.count == 32)
        #expect(most.entries.first?.key == "x")
        #expect(most["k31"] == nil)
        #expect(most["k30"] == "1")
    }

    @Test func aFieldIsNoLongerThanItMayBe() throws {
        func text(_ length: Int, _ key: String) -> String {
            key + "=" + String(repeating: "v", count: length - key.utf8.count - 1)
        }
        func kept(_ texts: [String]) throws -> [Int] {
            try #require(TraceState(texts.joined(separator: ","))).fieldValue.split(separator: ",").map(\.utf8.count)
        }
        #expect(try kept([text(255, "a"), text(256, "b")]) == [255, 256])
        #expect(try kept([text(256, "a"), text(256, "b")]) == [256])
        #expect(try kept([text(128, "a"), text(200, "b"), text(183, "c")]) == [128, 200])
        #expect(try kept([text(128, "a"), text(200, "b"), text(182, "c")]) == [128, 200, 182])
        #expect(try kept([text(128, "a"), text(128, "b"), text(128, "c"), text(128, "d")]) == [128, 128, 128])
        #expect(try kept([text(129, "a"), text(128, "b"), text(128, "c"), text(128, "d")]) == [128, 128, 128])
        #expect(TraceState().fieldValue.isEmpty)
    }

    @Test func baggageIsReadAndWritten() {
        var baggage = Baggage(lines: ["a = 1 ;p;q= 2 , b=%41%20%zz", "c=", "a=9"])
        #expect(baggage.members.map(\.key) == ["a", "b", "c"])
        #expect(baggage["a"] == "9")
        #expect(baggage["b"] == "A %zz")
        #expect(baggage["c"]?.isEmpty == true)
        #expect(Baggage("a=1;p ;;q=2").description == "a=1;p;q=2")
        #expect(Baggage("a=1;p").members[0].properties == ["p"])
        baggage["b"] = "é ,"
        baggage["d e"] = "x"
        baggage["a"] = nil
        #expect(baggage.description == "b=%C3%A9%20%2C,c=")
        for byte in UInt8(0)..<128 where byte != UInt8(ascii: "%") {
            let scalar = Unicode.Scalar(byte)
            let isOctet = (33...126).contains(byte) && !"\",;\\".utf8.contains(byte)
            guard byte != 44, byte != 59 else { continue }
            #expect((Baggage("a=x\(scalar)y")["a"] != nil) == isOctet, "\(byte)")
            #expect((Baggage("a=x;p\(scalar)q")["a"] != nil) == (isOctet || byte == 32 || byte == 9), "\(byte)")
        }
        #expect(Baggage("a b=1").members.isEmpty)
        #expect(Baggage("a").members.isEmpty)
        #expect(Baggage("=1").members.isEmpty)
        #expect(Baggage("a=1=2")["a"] == "1=2")
        #expect(Baggage("a=%")["a"] == "%")
        #expect(Baggage("a=%4")["a"] == "%4")
        #expect(Baggage("a=%+1")["a"] == "%+1")
    }

    @Test func baggageHasLimits() {
        #expect(Baggage((0..<65).map { "k\($0)=1" }.joined(separator: ",")).members.count == 64)
        #expect(Baggage.maximumMembers == 64)
        #expect(Baggage.maximumBytes == 8192)
        // Each counts with the comma after it; the last one has none.
        let whole = "a=" + String(repeating: "v", count: 8190)
        #expect(Baggage(whole)["a"] != nil)
        #expect(Baggage(whole + "v")["a"] == nil)
        let first = "a=" + String(repeating: "v", count: 8186)
        #expect(Baggage(first + ",b=1")["b"] == "1")
        #expect(Baggage(first + "v,b=1")["b"] == nil)
        #expect(Baggage(lines: [first + "v", "b=1"])["b"] == nil)
        var long = Baggage(first)
        long["b"] = "1"
        #expect(long.description.hasSuffix(",b=1"))
        #expect(long.description.utf8.count == 8192)
        long["b"] = "12"
        #expect(!long.description.contains("b="))
        long["c"] = "1"
        #expect(long.description.hasSuffix(",c=1"))
    }

    @Test func aContextIsReadFromItsFields() {
        let line = "00-\(id)-\(parent)-01"
        var headers: HTTPFields = [.traceParent: line, .traceState: "a=1", .baggage: "b=2"]
        let context = TraceContext(headers: headers)
        #expect(context?.parent.description == line)
        #expect(context?.state["a"] == "1")
        #expect(context?.baggage["b"] == "2")
        headers[.traceState] = "a"
        #expect(TraceContext(headers: headers)?.state.entries.isEmpty == true)
        headers.append(HTTPField(name: .traceParent, value: line))
        #expect(TraceContext(headers: headers) == nil)
        #expect(TraceContext(headers: [:]) == nil)
        #expect(
            [HTTPField.Name.traceParent, .traceState, .baggage].map(\.canonicalName) == [
                "traceparent", "tracestate", "baggage",
            ])
    }
}
