import HTTPTypes
import NetCore
import Testing

private struct Cause: Error { let secret = "SECRET" }

@Suite struct NetErrorTests {
    private let call = CallSummary(
        id: CallID(high: 1, low: 2), method: .get, url: "https://h/x", operation: "getX", attempt: 2)

    @Test func theDescriptionSaysWhatWhereAndWhich() {
        let error = NetError(.timeout, phase: .waiting, message: "m", call: call, elapsed: .milliseconds(1500))
        #expect("\(error)" == "timeout while waiting: m (GET https://h/x, getX, attempt 2, after 1.500 s)")
        #expect("\(NetError(.dns, phase: .resolving, message: "m"))" == "dns while resolving: m")
    }

    @Test func neitherDescriptionShowsFieldsBodiesOrCauses() {
        let head = ResponseHead(status: .badRequest, headers: [.setCookie: "SECRET"])
        let error = NetError(
            .unacceptableStatus, phase: .validating, message: "m", underlying: Cause(), call: call,
            response: .init(head: head, body: Bytes("SECRET".utf8)))
        for text in ["\(error)", String(reflecting: error), "\(APIError<Never>.failed(error))"] {
            #expect(!text.contains("SECRET"))
        }
        #expect(error.status == 400)
        #expect(error.response?.body == Bytes("SECRET".utf8))
        #expect(error.underlying is Cause)
    }

    @Test func missingContextIsFilledInAndExistingContextIsKept() {
        let other = CallSummary(id: CallID(high: 9, low: 9), method: .post, url: "https://o")
        let bare = NetError(.tls, phase: .securing, message: "m", underlying: Cause())
        let filled = bare.filling(call: call, elapsed: .seconds(1))
        #expect(filled.call == call)
        #expect(filled.elapsed == .seconds(1))
        #expect(filled.attempt == 2)
        #expect(filled.url == "https://h/x")
        #expect(filled.code == .tls)
        #expect(filled.phase == .securing)
        #expect(filled.underlying is Cause)
        let again = filled.filling(call: other, elapsed: .seconds(9))
        #expect(again.call == call)
        #expect(again.elapsed == .seconds(1))
        let half = NetError(.tls, phase: .securing, message: "m", call: call).filling(call: other, elapsed: .seconds(3))
        #expect(half.call == call)
        #expect(half.elapsed == .seconds(3))
    }

    @Test func predicatesGroupTheCodes() {
        func error(_ code: NetError.Code) -> NetError { NetError(code, phase: .waiting, message: "m") }
        #expect(error(.timeout).isTimeout)
        #expect(!error(.timeout).isConnectivity)
        #expect(error(.cancelled).isCancellation)
        #expect(!error(.shutdown).isCancellation)
        for code in [NetError.Code.dns, .connect, .connectionLost] { #expect(error(code).isConnectivity) }
        for code in [NetError.Code.tls, .cancelled, .decoding] { #expect(!error(code).isConnectivity) }
        #expect(error(NetError.Code(rawValue: "mine")).code.description == "mine")
    }

    @Test func aFailedResponseKeepsAtMost64KiB() {
        let body = Bytes([UInt8](repeating: 65, count: 70_000))
        #expect(NetError.FailedResponse(head: ResponseHead(status: .ok), body: body).body.count == 65_536)
    }

    @Test func aRequestWithoutADeclaredFailureHasOneCaseToHandle() {
        func code(_ error: APIError<Never>) -> NetError.Code {
            switch error {
            case .failed(let error): error.code
            }
        }
        #expect(code(.failed(NetError(.dns, phase: .resolving, message: "m"))) == .dns)
        func fail() throws(APIError<Never>) { throw .failed(NetError(.tls, phase: .securing, message: "m")) }
        do { try fail() } catch { #expect(code(error) == .tls) }
    }

    @Test func aDeclaredFailureIsTypedAndNotPrinted() {
        let error = APIError<String>.rejected(
            "SECRET", RejectedResponse(head: ResponseHead(status: .conflict), body: Bytes("SECRET".utf8)))
        #expect("\(error)" == "rejected with status 409")
        #expect(error.netError == nil)
        guard case .rejected(let value, let head) = error else { return }
        #expect(value == "SECRET")
        #expect(head.status == .conflict)
    }
}
