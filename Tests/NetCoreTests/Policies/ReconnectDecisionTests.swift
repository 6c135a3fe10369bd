import Foundation
import HTTPTypes
import NetCore
import Testing

/// The ends of a WebSocket after which another attempt makes sense, and its delay.
struct ReconnectDecisionTests {
    private let policy = ReconnectPolicy(backoff: Backoff(base: .seconds(1), cap: .seconds(30), jitter: .none))
    private let date = Date(timeIntervalSince1970: 1_767_225_600)

    private func decide(
        _ error: NetError, failures: Int = 1, isNeeded: Bool = false, policy: ReconnectPolicy? = nil
    ) -> ReconnectDecision {
        .decide(
            error, failures: failures, waits: max(1, failures), isNeeded: isNeeded, policy: policy ?? self.policy,
            date: date, random: 0.5)
    }

    private func closed(_ code: UInt16) -> NetError {
        NetError(
            .webSocketClosed, phase: .receiving, message: "",
            closure: WebSocketClosure(code: WebSocketCloseCode(rawValue: code)))
    }

    private func refused(_ status: HTTPResponse.Status, _ headers: HTTPFields = [:]) -> NetError {
        NetError(
            .unacceptableStatus, phase: .waiting, message: "",
            response: .init(head: ResponseHead(status: status, headers: headers), body: Bytes()))
    }

    @Test(arguments: [1000, 1002, 1003, 1007, 1008, 1010, 1015, 4000, 4400, 4402, 4999] as [UInt16])
    func codesThatSaySoAreFinal(code: UInt16) {
        #expect(decide(closed(code)) == .stop)
        #expect(decide(closed(code), isNeeded: true) == (code == 1000 ? .retry(after: .seconds(1)) : .stop))
    }

    @Test(arguments: [1001, 1005, 1006, 1009, 1011, 1012, 1013, 1014, 3000] as [UInt16])
    func otherCodesAreTriedAgain(code: UInt16) {
        #expect(decide(closed(code)) == .retry(after: .seconds(1)))
    }

    @Test func transientErrorsAreRetriedAndOthersAreNot() {
        for code in [NetError.Code.dns, .connect, .connectionLost, .timeout] {
            #expect(decide(NetError(code, phase: .connecting, message: "")) == .retry(after: .seconds(1)), "\(code)")
        }
        for code in [NetError.Code.tls, .invalidRequest, .protocolViolation, .bodyTooLarge, .shutdown, .cancelled] {
            #expect(decide(NetError(code, phase: .connecting, message: "")) == .stop, "\(code)")
        }
    }

    @Test func aStatusIsTriedAgainWhereItIsPassingAndNotBeforeTheServerAsked() {
        for status in [HTTPResponse.Status.forbidden, .notFound, .movedPermanently, .ok] {
            #expect(decide(refused(status)) == .stop, "\(status)")
        }
        #expect(decide(refused(.serviceUnavailable)) == .retry(after: .seconds(1)))
        #expect(decide(refused(.tooManyRequests, [.retryAfter: "20"])) == .retry(after: .seconds(20)))
        #expect(decide(refused(.tooManyRequests, [.retryAfter: "0"])) == .retry(after: .seconds(1)))
        #expect(decide(refused(.tooManyRequests, [.retryAfter: "300"])) == .retry(after: .seconds(300)))
        #expect(decide(refused(.tooManyRequests, [.retryAfter: "301"])) == .stop)
        #expect(decide(refused(.serviceUnavailable), policy: ReconnectPolicy(statuses: ReconnectTable())) == .stop)
    }

    @Test func theWaitsGrowToTheCapAndAreJitteredUnlessToldOtherwise() {
        let error = closed(1006)
        let waits = (1...7).map { decide(error, failures: $0) }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30].map { .retry(after: .seconds($0)) })
        #expect(decide(error, failures: 3, policy: ReconnectPolicy()) == .retry(after: .seconds(2)))
        #expect(decide(error, failures: 9, policy: .constant(.seconds(3))) == .retry(after: .seconds(3)))
    }

    @Test func aRefusedCredentialIsRenewedWhateverTheLimit() {
        for error in [closed(4401), refused(.unauthorized)] {
            #expect(decide(error) == .renewCredential)
            #expect(decide(error, failures: 9, policy: .never) == .renewCredential)
        }
    }

    @Test func theTablesDecide() {
        var policy = policy
        policy.closeCodes[4408] = .retry
        policy.closeCodes.set(4100...4199, to: .renewCredential)
        policy.closeCodes[1001] = .stop
        policy.closeCodes[4401] = .stop
        policy.statuses[404] = .retry
        policy.statuses[403] = .renewCredential
        policy.statuses[401] = .stop
        #expect(decide(closed(4408), policy: policy) == .retry(after: .seconds(1)))
        #expect(decide(closed(4150), policy: policy) == .renewCredential)
        for code in [1001, 4401] as [UInt16] { #expect(decide(closed(code), policy: policy) == .stop) }
        #expect(decide(refused(.notFound), policy: policy) == .retry(after: .seconds(1)))
        #expect(decide(refused(.forbidden), policy: policy) == .renewCredential)
        #expect(decide(refused(.unauthorized), policy: policy) == .stop)
    }

    @Test func aLimitEndsIt() {
        let error = closed(1006)
        #expect(decide(error, failures: 2, policy: .constant(.seconds(3), maximumAttempts: 3)) != .stop)
        #expect(decide(error, failures: 3, policy: .constant(.seconds(3), maximumAttempts: 3)) == .stop)
        // The loss of a stable connection doesn't count as an attempt.
        #expect(decide(error, failures: 0, policy: .constant(.seconds(3), maximumAttempts: 1)) != .stop)
        #expect(decide(error, failures: 0, policy: .never) == .stop)
        #expect(decide(error, failures: 1, policy: .never) == .stop)
        #expect(decide(error, failures: 1_000_000) == .retry(after: .seconds(30)))
    }
}
