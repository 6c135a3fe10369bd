#if os(Linux)
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import Testing

/// Responses that violate the standard, from `Fixtures/transport/hostile.py`: each has the meaning that RFC 9112
/// defines or is an error, and the next request gets its own response.
@Suite(.timeLimit(.minutes(5))) struct HostileResponseTests {
    private struct Case: Decodable, Sendable {
        struct Expectation: Decodable, Sendable {
            var status: Int?
            var body: String?
            var trailers: [String: String]?
            var codes: [String]?
        }
        let name: String
        let method: String
        let expect: Expectation
        /// True if the next request must use another connection.
        let closes: Bool
    }

    /// The result of a case.
    private enum Outcome {
        case response(StatusAndBody)
        case failure(NetError)
    }

    private struct StatusAndBody {
        let status: Int
        let body: String
        let trailers: HTTPFields?
    }

    /// One client for all of them, which collects their responses or streams them.
    @Test(arguments: [false, true]) func eachHasItsMeaningOrAnErrorAndTheNextRequestItsOwnResponse(
        isStreamed: Bool
    ) async throws {
        let peer = try StreamPeer("transport/hostile.py")
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        let transport = CurlTransport(configuration: configuration)
        let client = HTTPClient(baseURL: peer.baseURL, transport: transport)
        let cases = try await client.send(Request<[Case]>("cases"))
        #expect(cases.count >= 200)
        for (number, each) in cases.enumerated() {
            let outcome = await outcome(of: each, number, isStreamed, client)
            check(outcome, each, isStreamed)
            try await checkNext(number, each, isStreamed, client)
        }
        #expect(client.unfinishedCalls == 0)
        #expect(transport.statistics.liveTransfers == 0)
        await client.shutdown()
        withExtendedLifetime(peer) {}
    }

    private func outcome(of each: Case, _ number: Int, _ isStreamed: Bool, _ client: HTTPClient) async -> Outcome {
        var request = Request<Bytes>(
            "case/\(number)", method: HTTPRequest.Method(each.method) ?? .get, serializer: .bytes)
        request.options.validation = .any
        request.options.maximumResponseBytes = 1 << 20
        request.options.timeouts = Timeouts(firstByte: .seconds(20), stall: .seconds(20))
        do {
            let head: ResponseHead
            let body: ResponseBody
            if isStreamed {
                let response = try await client.stream(request)
                (head, body) = (response.head, response.body)
            } else {
                let response = try await client.raw(request)
                (head, body) = (response.head, ResponseBody(response.value))
            }
            let bytes = try await body.collect(upTo: 1 << 20)
            return .response(
                StatusAndBody(
                    status: head.status.code, body: String(decoding: bytes, as: UTF8.self), trailers: body.trailers))
        } catch let error as NetError {
            return .failure(error)
        } catch {
            return .failure(
                NetError(error) ?? NetError(.unknown, phase: .receiving, message: "\(error)"))
        }
    }

    private func check(_ outcome: Outcome, _ each: Case, _ isStreamed: Bool) {
        switch outcome {
        case .response(let response):
            guard let body = each.expect.body else {
                Issue.record("\(each.name): \(response.status) \(response.body.prefix(100).debugDescription)")
                return
            }
            #expect(response.status == each.expect.status, "\(each.name)")
            #expect(response.body == body, "\(each.name)")
            // A collected response has no trailers.
            for (name, value) in each.expect.trailers ?? [:] where isStreamed {
                #expect(HTTPField.Name(name).flatMap { response.trailers?[$0] } == value, "\(each.name)")
            }
        case .failure(let error):
            #expect(each.expect.codes?.contains(error.code.rawValue) == true, "\(each.name): \(error)")
            #expect(error.phase == .waiting || error.phase == .receiving, "\(each.name): \(error)")
        }
    }

    /// Sends the next request, on the connection of the case if it was kept.
    private func checkNext(_ number: Int, _ each: Case, _ isStreamed: Bool, _ client: HTTPClient) async throws {
        let request = Request<String>("own/\(number)", serializer: .string)
        let (head, text): (ResponseHead, String)
        if isStreamed {
            let response = try await client.stream(request)
            (head, text) = (response.head, String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self))
        } else {
            let response = try await client.response(request)
            (head, text) = (response.head, response.value)
        }
        let words = text.split(separator: " ")
        #expect(words.count == 3, "after \(each.name): \(text)")
        #expect(words.prefix(2) == ["own", "\(number)"], "after \(each.name): \(text)")
        if each.closes { #expect(words.last.map(String.init) != head["X-Connection"], "after \(each.name)") }
    }
}
#endif
