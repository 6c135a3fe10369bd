import Foundation
import HTTPTypes
import NetCore
import Testing

@Suite struct URLSessionFailureTests {
    private static let expected: [(URLError.Code, NetError.Code, NetError.Phase)] = [
        (.cannotFindHost, .dns, .resolving), (.dnsLookupFailed, .dns, .resolving),
        (.cannotConnectToHost, .connect, .connecting), (.notConnectedToInternet, .connect, .connecting),
        (.networkConnectionLost, .connectionLost, .waiting), (.requestBodyStreamExhausted, .connectionLost, .sending),
        (.timedOut, .timeout, .waiting), (.cancelled, .cancelled, .waiting),
        (.secureConnectionFailed, .tls, .securing), (.serverCertificateUntrusted, .tls, .securing),
        (.serverCertificateHasBadDate, .tls, .securing), (.clientCertificateRequired, .tls, .securing),
        (.appTransportSecurityRequiresSecureConnection, .tls, .securing),
        (.badServerResponse, .protocolViolation, .waiting), (.cannotParseResponse, .protocolViolation, .waiting),
        (.badURL, .invalidRequest, .preparing), (.dataLengthExceedsMaximum, .invalidRequest, .preparing),
        (.unknown, .unknown, .waiting), (.fileDoesNotExist, .unknown, .waiting),
    ]

    @Test(arguments: 0..<expected.count) func eachCodeHasItsMeaning(index: Int) {
        let (code, meaning, phase) = Self.expected[index]
        let verdict = URLSessionFailure.verdict(code, reason: "why", host: "api.test", phase: .waiting)
        #expect(verdict.code == meaning)
        #expect(verdict.phase == phase)
        #expect(!verdict.message.isEmpty)
    }

    @Test func theURLThatFoundationKeepsInItsErrorsDoesNotEscape() {
        let request = PreparedRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/?token=s3cret"))
        let context = CallContext(for: request)
        for code in [URLError.Code.cannotFindHost, .unknown, .badURL] {
            let foundation = URLError(
                code, userInfo: ["NSErrorFailingURLStringKey": "http://api.test/?token=s3cret"])
            let error = URLSessionFailure.error(foundation, host: "api.test", phase: .waiting, context: context)
            var shown = ""
            dump(error, to: &shown)
            #expect(!"\(error) \(shown) \(error.underlying.map { "\($0)" } ?? "")".contains("s3cret"))
            #expect((error.underlying as? URLError)?.code == code)
        }
    }
}
