import HTTPTypes
import NetCore
import NetSocketCore
import NetTesting
import Testing

@testable import NetSocket

/// The defaults of a session, and its errors.
@Suite(.timeLimit(.minutes(1)))
struct SocketConfigurationTests {
    @Test func aSessionHasDefaults() {
        let configuration = SocketClient.Configuration()
        #expect(configuration.wire.name == "json")
        #expect(configuration.connects == .immediately)
        #expect(configuration.requestTimeout == .seconds(30))
        #expect(configuration.joinTimeout == .seconds(10))
        #expect(configuration.heartbeatInterval == .seconds(30))
        #expect(configuration.probeTimeout == .seconds(5))
        #expect(configuration.maximumQueueCount == 1000)
        #expect(configuration.maximumQueueBytes == 1 << 20)
        #expect(configuration.delivery == nil)
        #expect(configuration.network == nil)
        #expect(configuration.openPayload == nil)
        #expect(configuration.negotiate == nil)
    }

    @Test func theMachineIsToldAllOfThem() {
        let configuration = SocketClient.Configuration(
            wire: .raw, requestTimeout: .seconds(1), joinTimeout: .seconds(2), heartbeatInterval: nil,
            maximumQueueCount: 3, maximumQueueBytes: 4, probeTimeout: .seconds(5),
            connects: .whenNeeded(idle: .seconds(6)))
        let settings = configuration.settings
        #expect(settings.features == SocketWire.raw.features)
        #expect(settings.joinTimeout == .seconds(2))
        #expect(settings.heartbeatInterval == nil)
        #expect(settings.probeTimeout == .seconds(5))
        #expect(settings.maximumQueueCount == 3)
        #expect(settings.maximumQueueBytes == 4)
        #expect(settings.idleTimeout == .seconds(6))
        #expect(settings.delivery == nil)
        #expect(SocketClient.Configuration().settings.idleTimeout == nil)
    }

    @Test func aBearerTokenIsAHeader() {
        var request = WebSocketRequest(url: "wss://a.test/")
        #expect(request.bearer == nil)
        request.bearer = "a1b2"
        #expect(request.headers[.authorization] == "Bearer a1b2")
        #expect(request.bearer == "a1b2")
        for (value, token) in [
            ("bearer x", "x"), ("BEARER x y", "x y"), ("Basic eDp5", nil), ("Bearer", nil),
        ] as [(String, String?)] {
            request.headers[.authorization] = value
            #expect(request.bearer == token)
        }
        request.bearer = "a\r\nX: y"
        #expect(request.headers[.authorization] == nil)
        request.bearer = nil
        #expect(request.bearer == nil)
    }

    @Test func eachLossIsAnErrorOfItsOwn() {
        let lost = NetError(
            .connectionLost, phase: .receiving, message: "gone", closure: WebSocketClosure(code: .abnormalClosure))
        let losses: [(SessionMachine.Loss, NetError.Code, NetError.Phase, Bool)] = [
            (.lost(lost, mayHaveArrived: true), .connectionLost, .receiving, true),
            (.lost(lost, mayHaveArrived: false), .connectionLost, .receiving, false),
            (.timedOut(.seconds(7), mayHaveArrived: true), .timeout, .waiting, true),
            (.timedOut(.seconds(7), mayHaveArrived: false), .timeout, .queued, false),
            (.offline, .connectionLost, .queued, false), (.full, .limited, .queued, false),
            (.replaced, .cancelled, .queued, false), (.notJoined(topic: "t"), .invalidRequest, .preparing, false),
            (.closed, .webSocketClosed, .queued, false), (.unprepared(lost), .connectionLost, .receiving, false),
        ]
        for (loss, code, phase, mayHaveArrived) in losses {
            let error = SessionDriver.error(loss)
            #expect(error.code == code, "\(loss)")
            #expect(error.phase == phase, "\(loss)")
            #expect(error.mayHaveArrived == mayHaveArrived, "\(loss)")
            if case .failure(.failed(let same)) = SessionMachine.Outcome.failed(loss).result {
                #expect(same.code == code)
            } else {
                Issue.record("\(loss) is no failure")
            }
        }
        let kept = SessionDriver.error(.lost(lost, mayHaveArrived: true))
        #expect(kept.message == "gone")
        #expect(kept.closure == lost.closure)
        #expect(SessionDriver.error(.timedOut(.seconds(7), mayHaveArrived: true)).message.contains("no reply"))
        #expect(SessionDriver.error(.timedOut(.seconds(7), mayHaveArrived: false)).message.contains("no connection"))
        #expect(SessionDriver.error(.notJoined(topic: "room")).message.contains("room"))
    }

    #if os(Linux)
    @Test func buffersHaveAtLeastAByte() {
        var configuration = CurlWebSocketTransport.Configuration()
        #expect(configuration.limits.inboxBytes == 1 << 20)
        #expect(configuration.limits.sendBufferBytes == 1 << 20)
        for (bytes, limit) in [(0, 1), (-5, 1), (1, 1), (2, 2)] {
            (configuration.inboxBytes, configuration.sendBufferBytes) = (bytes, bytes)
            #expect(configuration.limits.inboxBytes == limit)
            #expect(configuration.limits.sendBufferBytes == limit)
        }
        #expect(SocketDriver.closeTimeout == .seconds(5))
        #expect(SocketDriver.answerTimeout == .seconds(1))
        #expect(SocketDriver.refusalTimeout == .seconds(1))
    }

    @Test func theMonotonicClockCountsNanoseconds() {
        let (before, start) = (ContinuousClock.now, MonotonicClock.now())
        while MonotonicClock.now() == start {}
        let passed = MonotonicClock.now() - start
        #expect(passed > 0)
        #expect(Duration.nanoseconds(Int64(clamping: passed)) <= ContinuousClock.now - before)
    }
    #endif
}
