#if os(Linux)
import Foundation
import NetCore
import NetSocket
import Testing

/// A name that is slow to resolve delays only its own connection. Runs in separate processes: ``SlowResolver``.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: SlowResolver.isAvailable))
struct ResolvingTests {
    private static let url = "ws://\(SlowResolver.host)/peer?token=geheim"

    @Test func aTimeOutDoesNotWaitForTheName() async throws {
        let child = await SlowResolver.preloaded {
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try await Fixture.run { fixture in
                    let start = ContinuousClock().now
                    let error = try await fixture.refusal(
                        WebSocketRequest(url: Self.url, connectTimeout: .milliseconds(300)))
                    let elapsed = ContinuousClock().now - start
                    guard error.code == .timeout, error.phase == .resolving, !error.description.contains("geheim"),
                        elapsed >= .milliseconds(295), elapsed < .milliseconds(1500)
                    else { ThisProcess.fail("\(error), after \(elapsed)") }
                }
            }
        }
        expectNothingPrinted(by: child)
    }

    @Test func cancellationDoesNotWaitForTheName() async throws {
        let child = await SlowResolver.preloaded {
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try await Fixture.run { fixture in
                    let task = Task { try await fixture.client.connect(Self.url) }
                    _ = await eventually { fixture.transport.openConnections == 1 }
                    try await Task.sleep(for: .milliseconds(100))
                    let start = ContinuousClock().now
                    task.cancel()
                    let error = try await failure { try await task.value }
                    let elapsed = ContinuousClock().now - start
                    guard error.code == .cancelled, error.phase == .resolving, elapsed < .milliseconds(500),
                        await fixture.hasNoConnections(), ContinuousClock().now - start < .seconds(1)
                    else { ThisProcess.fail("\(error), after \(elapsed)") }
                }
            }
        }
        expectNothingPrinted(by: child)
    }

    @Test func aNameThatIsNotFoundSaysSo() async throws {
        let child = await SlowResolver.preloaded {
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                try await Fixture.run { fixture in
                    let error = try await fixture.refusal(WebSocketRequest(url: Self.url))
                    guard error.code == .dns, error.phase == .resolving, !error.description.contains("geheim"),
                        let elapsed = error.elapsed, elapsed >= SlowResolver.delay
                    else { ThisProcess.fail("\(error)") }
                }
            }
        }
        expectNothingPrinted(by: child)
    }

    /// The loop serves other connections, and the pool's threads are free, while names are resolved slowly.
    @Test func nobodyElseWaitsForTheName() async throws {
        let child = await SlowResolver.preloaded {
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let peer = try ScriptedPeer.accepting(.wait(.milliseconds(200)), .send(TestFrame.text("hello")))
                defer { peer.stop() }
                try await Fixture.run { fixture in
                    let gap = await Ticker.smallestGap { await fixture.failToConnect(Self.url, times: 16) }
                    guard gap < Ticker.limit else { ThisProcess.fail("the ticker waited \(gap)") }
                    let slow = Task { await fixture.failToConnect(Self.url, times: 4) }
                    let start = ContinuousClock().now
                    let socket = try await fixture.client.connect(peer.url)
                    let message = try await socket.receive()
                    let elapsed = ContinuousClock().now - start
                    guard message == .text("hello"), elapsed < .seconds(1) else {
                        ThisProcess.fail("\(message) after \(elapsed)")
                    }
                    await slow.value
                }
            }
        }
        expectNothingPrinted(by: child)
    }
}
#endif
